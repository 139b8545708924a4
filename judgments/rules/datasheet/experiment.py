"""Questions 1 to 3: the paper, the systems, the sample, the judges and the design."""

from judgments.rules.datasheet.questions import OTHER, By, Question, Section

KINDS_OF_TEXT = {
    "data": "structured data, such as tables or labels",
    "deep": "a deep linguistic representation, such as meaning graphs",
    "shallow": "a shallow linguistic representation, such as syntax trees",
    "phrase": "text: less than a sentence",
    "sentence": "text: a sentence",
    "sentences": "text: several sentences without structure",
    "document": "text: a document with structure",
    "dialogue": "text: a dialogue",
    "text": "text of another kind",
    "speech": "recorded speech",
    "visual": "images or video",
    "mixed": "several of these combined",
}
TASKS = {
    "selection": "choosing content",
    "ordering": "ordering content",
    "aggregation": "merging content to avoid repetition",
    "reference": "referring expressions",
    "lexicalisation": "choosing words",
    "deep-generation": "text from data or deep representations in one step",
    "realisation": "text from syntax in one step",
    "controlled": "text with controlled properties",
    "data-to-text": "text from data",
    "dialogue": "turns of a dialogue",
    "questions": "asking questions",
    "answers": "answering questions",
    "paraphrase": "paraphrase, or simplification that keeps the meaning",
    "compression": "compression, or simplification that loses content",
    "translation": "machine translation",
    "summary": "summarisation",
    "end-to-end": "several of these, from end to end",
    "description": "describing images or video",
    "post-editing": "correction or post-editing",
    OTHER: "another task",
}
PAPER = Section("Paper and resources", (
    Question("1.1", "The paper", "Link it and say which experiment this sheet is about, or write: preregistration."),
    Question("1.2", "Resources", "Link outputs, judgments and code that you publish, or write: none."),
    Question("1.3", "Contact", "Name, affiliation and mail address of whoever fills in this sheet, and of the "
             "corresponding author."),
))  # fmt: skip
SYSTEMS = Section("Systems", (
    Question("2.1", "Input of the systems", "One unit of input, however many there are.", By.BOTH,
             KINDS_OF_TEXT | {"control": "a feature that controls the output", "none": "no input: people write",
                              OTHER: "another input"}, several=True),
    Question("2.2", "Output of the systems", "One unit of output, however many there are.", By.BOTH,
             KINDS_OF_TEXT | {"human": "people wrote the outputs", OTHER: "another output"}, several=True),
    Question("2.3", "Task of the systems", "", By.PLATFORM, TASKS, several=True),
    Question("2.4", "Languages of the input", "", By.PLATFORM),
    Question("2.5", "Languages of the output", "", By.PLATFORM),
))  # fmt: skip
SAMPLE = Section("Sample", (
    Question("3.1.1", "Judged outputs of each system", "How many at least one judge has judged.", By.PLATFORM),
    Question("3.1.2", "Choice of the sample", "If you chose the sentences before you uploaded them, say how.",
             By.PLATFORM, {
                 "random": "by chance", "stratified": "by chance, balanced by some property",
                 "convenience": "by hand, without a criterion", "balanced": "by hand, balanced by some property",
                 OTHER: "another way",
             }),
    Question("3.1.3", "Statistical power", "The chance to find a difference of the size that matters to you, and the "
             "script that computed it; or write: not computed."),
))  # fmt: skip
JUDGES = Section("Judges", (
    Question("3.2.1", "Number of judges", "", By.PLATFORM),
    Question("3.2.2", "Kind of judges", "Choose one of each pair, and give details below.", By.BOTH, {
        "experts": "experts", "laypeople": "no experts", "paid": "paid, also in kind or credits", "unpaid": "not paid",
        "known": "some known to the authors before", "unknown": "none known to the authors before",
        "authors": "some are authors", "no-authors": "none are authors", OTHER: "something else",
    }, several=True),
    Question("3.2.3", "Recruiting", "Where and how you asked people, who helped, and who could not take part.",
             By.BOTH),
    Question("3.2.4", "Training", "What judges learn and practise before they begin.", By.PLATFORM),
    Question("3.2.5", "Characteristics of judges", "What is known about them: age, gender, education, first language, "
             "where they live; with numbers where they differ."),
))  # fmt: skip
DESIGN = Section("Design", (
    Question("3.3.1", "Preregistration", "The registry with a link to the entry, or: no.", By.BOTH),
    Question("3.3.2", "How answers are collected", "The tool or form.", By.PLATFORM),
    Question("3.3.3", "Quality control", "Choose what else you did, or describe it below.", By.BOTH, {
        "native": "judges must be native speakers", "automatic": "answers are checked automatically",
        "manual": "answers are checked by hand", "judges-excluded": "judges who fail checks are excluded",
        "answers-excluded": "single answers that fail checks are excluded", "none": "none of these",
        OTHER: "another measure",
    }, several=True),
    Question("3.3.4", "What judges see", "Describe the page, and link screenshots.", By.PLATFORM),
    Question("3.3.5", "Freedom of time", "When and how fast judges must answer.", By.PLATFORM, {
        "timed": "each answer has a time limit", "one-sitting": "everything in one sitting",
        "neither": "neither of these", OTHER: "something else",
    }, several=True),
    Question("3.3.6", "Questions and feedback", "What judges were told.", By.BOTH, {
        "before": "they may ask before they begin", "during": "they may ask while they judge",
        "feedback": "they are asked for feedback afterwards", "none": "none of these", OTHER: "something else",
    }, several=True),
    Question("3.3.7", "Where judges work", "", By.ORGANISER, {
        "own": "wherever they choose", "lab": "in a lab, under equal conditions",
        "lab-varied": "in a lab, under various conditions", "real": "in real life, under equal conditions",
        "real-varied": "in real life, under various conditions",
        "simulated": "in imitated real life, under equal conditions",
        "simulated-varied": "in imitated real life, under various conditions", OTHER: "something else",
    }),
    Question("3.3.8", "Conditions of work", "What these conditions are; if judges choose where they work, write: "
             "N/A."),
))  # fmt: skip
