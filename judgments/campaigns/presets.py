"""Presets: the settings of published studies, and recommended ones."""

from collections.abc import Mapping

# What a study does unless its preset says otherwise.
PLAIN: Mapping[str, object] = {
    "screen_size": 5, "redundancy": 1, "batch_size": 20, "repeat_share": 0.0, "control_share": 0.0,
}  # fmt: skip
PRESETS: Mapping[str, Mapping[str, object]] = {
    "recommended": {
        **PLAIN, "redundancy": 2, "repeat_share": 0.1, "control_share": 0.05, "control_pass_share": 0.7,
        "least_seconds": 2.0,
    },
    # Grundkiewicz et al. (2015), section 4: one judge a screen, sentences drawn by p_i, no controls.
    "grundkiewicz2015": {
        **PLAIN, "protocol": "ranking", "design": "sampled", "sampling": "published", "automatic_ties": True,
    },
    # Napoles et al. (2019), section 4.2: eight judges a screen, 20 screens at a time, always with source+error.
    "napoles2019": {
        **PLAIN, "protocol": "rating", "design": "complete", "redundancy": 8, "control_share": 1.0,
        "control_pass_share": 0.7, "one_domain_a_day": True,
    },
    # Madnani et al. (2011), section 3: twenty judges a usage, some with a known answer among them.
    "madnani2011": {
        **PLAIN, "protocol": "verdict", "design": "complete", "redundancy": 20, "control_share": 0.1,
        "control_pass_share": 0.7, "least_controls": 4,
    },
    # Kobayashi et al. (2024): edits of five outputs are marked as right or wrong, then outputs are ranked.
    "kobayashi2024": {
        **PLAIN, "protocol": "marking", "design": "sampled", "sampling": "chance", "asks_for_ranks": True,
    },
    # Bryant and Ng (2015), section 4: ten judges correct every essay, with the categories of CoNLL-2014.
    "bryant2015": {
        **PLAIN, "protocol": "correction", "design": "complete", "redundancy": 10, "batch_size": 50,
        "category_list": "conll2014",
    },
    # Swedish and some English essays of MultiGEC-2025 (Masciolini et al. 2025) were rated by system on two scales from
    # 1 to 4. The words of the scales are those of Östling et al. (2024); the rest is our choice.
    "multigec2025": {**PLAIN, "protocol": "essays", "design": "complete", "screen_size": 1, "batch_size": 10},
    # Error span annotation (Kocmi et al. 2024) of translations: minor and major errors are marked, then the whole gets
    # a score from 0 to 100. Here, texts have no token for what is missing; the weight of major errors is that of MQM.
    "kocmi2024": {
        **PLAIN, "protocol": "essays", "design": "complete", "screen_size": 1, "batch_size": 10, "control_share": 0.1,
    },
}  # fmt: skip
