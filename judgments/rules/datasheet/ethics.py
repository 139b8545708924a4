"""Question 5 and the checklist on annotators."""

from judgments.rules.datasheet.questions import By, Question, Section

ETHICS = Section("Ethics", (
    Question("5.1", "Ethics review", "The committee that approved or exempted the study, with its reference; or: no."),
    Question("5.2", "Personal data", "Whether texts or answers contain any (GDPR, article 4), and how it is "
             "protected.", By.BOTH),
    Question("5.3", "Special categories of data", "Whether texts or answers reveal health, origin, religion and the "
             "like (GDPR, article 9), and how this is protected; or: no."),
    Question("5.4", "Impact assessment", "What was assessed and what came out, with a link; or: none."),
))  # fmt: skip
CHECKLIST = Section("Responsible research checklist", (
    Question("D1", "Instructions and screenshots", "Where the paper shows all texts that judges read, screenshots, "
             "and warnings of risks.", By.BOTH),
    Question("D2", "Recruiting and payment", "How people were recruited, what they were paid, and whether that is "
             "adequate where they live.", By.BOTH),
    Question("D3", "Consent", "How people agreed to what becomes of their answers.", By.PLATFORM),
    Question("D4", "Ethics review", same_as="5.1"),
    Question("D5", "Who the annotators are", same_as="3.2.5"),
))  # fmt: skip
