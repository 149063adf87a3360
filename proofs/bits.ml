(* Zarith by its own name, which the extracted checker gives to a module of Coq's. *)
let count p = Big_int_Z.big_int_of_int (Z.numbits p)
