"""The datasheet of an evaluation: questions, answers, and the sheet as a file.

The questions are those of the Human Evaluation Datasheet 3.0 (Belz and Thomson 2025), and D1 to D5 those of the ACL
checklist for responsible research about human annotators. The edition 2.0 (Shimorina and Belz 2022) asks them under
fewer numbers. The words are ours.
"""
