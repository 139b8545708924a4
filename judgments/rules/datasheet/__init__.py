"""The datasheet of an evaluation: questions, answers, and the sheet as a file.

The questions have the numbers of the Human Evaluation Datasheet 2.0 (Shimorina and Belz 2022), so that sheets can be
compared, and D1 to D5 are those of the ACL checklist for responsible research about human annotators. The words are
ours.
"""
