"""Campaigns: more edges than one machine checks, in shards that any number of processes may do.

    python3 -m planner_ccd.campaign plan CAMPAIGN.yaml
    python3 -m planner_ccd.campaign run CAMPAIGN.yaml --out DIR [--shard 17/400 | --dask ADDRESS]
    python3 -m planner_ccd.campaign status | merge | report CAMPAIGN.yaml --out DIR

README.md beside this file says what a campaign file holds and what is promised.
"""
