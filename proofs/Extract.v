(* The checker as OCaml: `check` with what it needs. Integers become Zarith's and nat OCaml's int, by Coq's own mappings; booleans,
   lists and pairs OCaml's. The axiom belongs to the real numbers, which are in the types of coq-interval's modules and are never computed. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlZBigInt ExtrOcamlNatInt.
From PlannerCcd Require Import Statement Volumes Checker.

Extraction Language OCaml.
Extract Constant ClassicalDedekindReals.sig_forall_dec => "(fun _ -> assert false)".
Extraction "checker.ml" Checker.check Volumes.add_number.
