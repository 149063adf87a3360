(* What the theorems rest on. build.sh compares what this prints with assumptions.txt. *)
From PlannerCcd Require Import Vectors Taylor Moves Bounds Curves Leaf Tree Statement Intervals LeafCheck Volumes Checker Example.

Print Assumptions Taylor.taylor_a.
Print Assumptions Taylor.taylor_b.
Print Assumptions Bounds.jets_smooth.
Print Assumptions Bounds.bounds_hold.
Print Assumptions Moves.seen_from_b.
Print Assumptions Curves.poly_within.
Print Assumptions Leaf.volume_a.
Print Assumptions Leaf.volume_b.
Print Assumptions Leaf.leaf_apart.
Print Assumptions Tree.tree_covers.
Print Assumptions Volumes.look_all_sound.
Print Assumptions Checker.tree_holds_correct.
Print Assumptions Checker.accepted_is_apart.
Print Assumptions Checker.accepted_is_listed.
Print Assumptions Checker.accepted_has_parents_before.
Print Assumptions Example.slider_passes.
Print Assumptions Example.finger_in_numbers.
Print Assumptions Example.blocked_refused.
Print Assumptions Example.blocked_meets.
