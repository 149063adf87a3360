(* Why the leaves below a root cover all of it (verify.hpp, WHY; FORMAT.md, Proofs): a task is (primitives of A, primitives of B,
   [t0, t1]); a split divides one of the three and hands on both parts. *)
From Coq Require Import Reals Lra.
From Coq Require Import List.
Open Scope R_scope.

Section Tree.
  Variable primitive : Type.
  Variable leaf : list primitive -> list primitive -> R -> R -> Prop.

  Inductive proved : list primitive -> list primitive -> R -> R -> Prop :=
  | proved_leaf : forall ps qs t0 t1, leaf ps qs t0 t1 -> proved ps qs t0 t1
  | proved_split_a : forall ps1 ps2 qs t0 t1, proved ps1 qs t0 t1 -> proved ps2 qs t0 t1 -> proved (ps1 ++ ps2) qs t0 t1
  | proved_split_b : forall ps qs1 qs2 t0 t1, proved ps qs1 t0 t1 -> proved ps qs2 t0 t1 -> proved ps (qs1 ++ qs2) t0 t1
  | proved_split_time : forall ps qs t0 tm t1, proved ps qs t0 tm -> proved ps qs tm t1 -> proved ps qs t0 t1.

  Variable apart : primitive -> primitive -> R -> Prop.

  Theorem tree_covers :
    (forall ps qs t0 t1, leaf ps qs t0 t1 -> forall p q t, In p ps -> In q qs -> t0 <= t <= t1 -> apart p q t) ->
    forall ps qs t0 t1, proved ps qs t0 t1 -> forall p q t, In p ps -> In q qs -> t0 <= t <= t1 -> apart p q t.
  Proof.
    intros Hleaf ps qs t0 t1 H. induction H as [ps qs t0 t1 H | ps1 ps2 qs t0 t1 _ IH1 _ IH2 | ps qs1 qs2 t0 t1 _ IH1 _ IH2 |
      ps qs t0 tm t1 _ IH1 _ IH2]; intros p q t Hp Hq Ht.
    - eapply Hleaf; eassumption.
    - apply in_app_or in Hp. destruct Hp; auto.
    - apply in_app_or in Hq. destruct Hq; auto.
    - destruct (Rle_dec t tm); [apply IH1 | apply IH2]; auto; lra.
  Qed.
End Tree.
