"""Question 4: what is judged, and how an answer is given."""

from judgments.rules.datasheet.questions import OTHER, By, Question, Section

NO_INSTRUMENT = "none"
CRITERION = Section("Quality criterion", (
    Question("4.1.1", "Kind of quality", "", By.ORGANISER, {
        "correctness": "correctness: it can be said when an output is entirely right",
        "goodness": "goodness: it can only be said which of two outputs is better",
        "feature": "a feature: more of it may be better or worse",
    }),
    Question("4.1.2", "Aspect of the output", "", By.ORGANISER, {
        "form": "form", "content": "content", "both": "form and content",
    }),
    Question("4.1.3", "Frame of reference", "What an output is compared with.", By.PLATFORM, {
        "itself": "nothing: it is judged for itself", "input": "its input",
        "external": "something outside the system",
    }),
))  # fmt: skip
MODE = Section("Mode of evaluation", (
    Question("4.2.1", "Objective or subjective", "", By.PLATFORM, {
        "objective": "objective: measured or counted", "subjective": "subjective: people's opinions",
    }),
    Question("4.2.2", "Absolute or relative", "", By.PLATFORM, {
        "absolute": "absolute: one system at a time", "relative": "relative: several systems side by side",
    }),
    Question("4.2.3", "Intrinsic or extrinsic", "", By.PLATFORM, {
        "intrinsic": "intrinsic: the output itself", "extrinsic": "extrinsic: its effect on something else",
    }),
))  # fmt: skip
ELICITATION = Section("Answers", (
    Question("4.3.1", "Name of the criterion", "As judges read it, such as fluency; or write: N/A."),
    Question("4.3.2", "Definition of the criterion", "As judges read it; or write: N/A.", By.PLATFORM),
    Question("4.3.3", "Size of the scale", "How many values there are, or: continuous, or: N/A.", By.PLATFORM),
    Question("4.3.4", "Values of the scale", "All values or their range, or: N/A.", By.PLATFORM),
    Question("4.3.5", "Form of the scale", "", By.PLATFORM, {
        "choice": "one of several options", "boxes": "any number of boxes", "slider": "a slider",
        NO_INSTRUMENT: "there is no scale", OTHER: "another form",
    }),
    Question("4.3.6", "Task without a scale", "What judges do instead, or: N/A.", By.PLATFORM),
    Question("4.3.7", "Question on the page", "The exact words beside each answer.", By.PLATFORM),
    Question("4.3.8", "Kind of answer", "", By.PLATFORM, {
        "agreement": "how far a statement is true", "direct": "a score for the quality of an output",
        "relative": "which output is better, or a ranking", "counting": "a count of something in the text",
        "qualitative": "remarks in words", "editing": "edits or annotations of the text", "labelling": "a label",
        "reading": "measurements of reading", "performance": "success at a task",
        "interaction": "measurements of using a system", OTHER: "another kind",
    }),
    Question("4.3.9", "From answers to scores", "How scores are computed from answers.", By.PLATFORM),
    Question("4.3.10", "Effects and significance", "Methods for both, or: none.", By.PLATFORM),
    Question("4.3.11", "Agreement", "Within and between judges: methods and numbers, or: not measured.", By.PLATFORM),
))  # fmt: skip
