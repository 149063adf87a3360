(* The checker as OCaml: `check` with what it needs. Integers become Zarith's and nat OCaml's int, by Coq's own mappings and the two below
   for numbers of bits and square roots; booleans, lists and pairs OCaml's. The axiom belongs to the real numbers, which are in the types of coq-interval's modules and are never computed. *)
From Coq Require Import ZArith Extraction ExtrOcamlBasic ExtrOcamlZBigInt ExtrOcamlNatInt.
From PlannerCcd Require Import Statement Volumes Checker.

Extraction Language OCaml.
Extract Constant ClassicalDedekindReals.sig_forall_dec => "(fun _ -> assert false)".
Extract Constant Pos.size => "Bits.count".
Extract Constant Z.sqrtrem => "(fun n -> Big_int_Z.(if sign_big_int n <= 0 then (zero_big_int, zero_big_int)
  else let s = sqrt_big_int n in (s, sub_big_int n (mult_big_int s s))))".
Extraction "checker.ml" Checker.check Volumes.add_number.
