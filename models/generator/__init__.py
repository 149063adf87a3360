"""Generator of every mesh, robot, scene and path of planner_ccd. Run it with models/generate.py."""
