(* verified_checker FILE.pccd...: reads certificates (planner_ccd/certificate/FORMAT.md) and asks the checker that Coq proved and extracted
   (checker.ml). What this file does is trusted: which bytes mean what, SHA-256, and that what is asked is what the file says.

   Exit code 0: all are accepted. 1: one is refuted (well formed, but it does not prove what it states). 2: one is unreadable. *)
open Checker
module B = Big_int_Z

exception Unreadable of string
exception Refuted of string

let unreadable fmt = Printf.ksprintf (fun s -> raise (Unreadable s)) fmt

(* ---- SHA-256 (FIPS 180-4) ---- *)

(* The first 32 bits of what follows the point in the cube roots of the first 64 primes and the square roots of the first 8, by integers. *)
let primes =
  let rec next found n = if List.length found = 64 then List.rev found
    else next (if List.exists (fun p -> n mod p = 0) found then found else n :: found) (n + 1) in
  next [] 2

let fraction power p =  (* of p^(1/power) *)
  let target = B.shift_left_big_int (B.big_int_of_int p) (32 * power) in
  let rec find low high =  (* low^power <= target < high^power *)
    if high - low = 1 then low land 0xFFFFFFFF
    else
      let middle = (low + high) / 2 in
      if B.le_big_int (B.power_big_int_positive_int (B.big_int_of_int middle) power) target then find middle high else find low middle in
  find 0 (1 lsl 40)

let round_constants = Array.of_list (List.map (fraction 3) primes)
let start_constants = Array.of_list (List.map (fraction 2) (List.filteri (fun i _ -> i < 8) primes))

let sha256 (s : string) : string =
  let mask = 0xFFFFFFFF in
  let length = String.length s in
  let padded = Bytes.make ((length + 9 + 63) / 64 * 64) '\000' in
  Bytes.blit_string s 0 padded 0 length;
  Bytes.set padded length '\x80';
  Bytes.set_int64_be padded (Bytes.length padded - 8) (Int64.of_int (8 * length));
  let turn x n = ((x lsr n) lor (x lsl (32 - n))) land mask in
  let h = Array.copy start_constants in
  let w = Array.make 64 0 in
  for block = 0 to Bytes.length padded / 64 - 1 do
    for i = 0 to 15 do w.(i) <- Int32.to_int (Bytes.get_int32_be padded (64 * block + 4 * i)) land mask done;
    for i = 16 to 63 do
      let a = w.(i - 15) and b = w.(i - 2) in
      let s0 = turn a 7 lxor turn a 18 lxor (a lsr 3) and s1 = turn b 17 lxor turn b 19 lxor (b lsr 10) in
      w.(i) <- (w.(i - 16) + s0 + w.(i - 7) + s1) land mask
    done;
    let v = Array.copy h in
    for i = 0 to 63 do
      let e = v.(4) and a = v.(0) in
      let t1 = (v.(7) + (turn e 6 lxor turn e 11 lxor turn e 25) + ((e land v.(5)) lxor (lnot e land mask land v.(6))) + round_constants.(i) + w.(i)) land mask in
      let t2 = ((turn a 2 lxor turn a 13 lxor turn a 22) + ((a land v.(1)) lxor (a land v.(2)) lxor (v.(1) land v.(2)))) land mask in
      Array.blit v 0 v 1 7;
      v.(0) <- (t1 + t2) land mask;
      v.(4) <- (v.(4) + t1) land mask
    done;
    Array.iteri (fun i x -> h.(i) <- (h.(i) + x) land mask) v
  done;
  let out = Bytes.create 32 in
  Array.iteri (fun i x -> Bytes.set_int32_be out (4 * i) (Int32.of_int x)) h;
  Bytes.to_string out

(* ---- reading ---- *)

type reader = { bytes : string; mutable at : int; mutable texts : int }

let need r n = if n < 0 || n > String.length r.bytes - r.at then unreadable "the file ends too early"
let u8 r = need r 1; let x = Char.code r.bytes.[r.at] in r.at <- r.at + 1; x
let u16 r = need r 2; let x = String.get_uint16_le r.bytes r.at in r.at <- r.at + 2; x
let i16 r = need r 2; let x = String.get_int16_le r.bytes r.at in r.at <- r.at + 2; x
let u32 r = need r 4; let x = Int32.to_int (String.get_int32_le r.bytes r.at) land 0xFFFFFFFF in r.at <- r.at + 4; x
let i64 r = need r 8; let x = String.get_int64_le r.bytes r.at in r.at <- r.at + 8; x
let u64 r = let x = i64 r in if Int64.compare x 0L < 0 || Int64.compare x 0x3FFFFFFFFFFFFFFFL > 0 then unreadable "a count is too great" else Int64.to_int x
let skip r n = need r n; r.at <- r.at + n
let none = 0xFFFFFFFF

(* All texts of a statement together, 32 bytes added for each, are limited. *)
let text r =
  let n = u16 r in
  skip r n;
  r.texts <- r.texts + n + 32;
  if r.texts > 64_000_000 then unreadable "the texts are beyond the limit of 64 MB"

let count r least = let n = u32 r in if n * least > String.length r.bytes - r.at then unreadable "a count is greater than the file" else n
let index r below = let i = u32 r in if i >= below then unreadable "an index is out of range" else i

(* The file's order, whatever List.init's is. *)
let many n f = let rec go n acc = if n <= 0 then List.rev acc else go (n - 1) (f () :: acc) in go n []

let exact (x : Float.t) : number =
  let m, e = Float.frexp x in
  { mant = B.big_int_of_int64 (Int64.of_float (Float.ldexp m 53)); expo = B.big_int_of_int (e - 53) }

let limited x = if Float.is_finite x && Float.abs x <= 1e12 then x else unreadable "a number is beyond its limits"
let double r = limited (Int64.float_of_bits (i64 r))
let f64 r = exact (double r)
let f32 r = need r 4; let x = Int32.float_of_bits (String.get_int32_le r.bytes r.at) in r.at <- r.at + 4; exact (limited x)
let triple f r = let tx = f r in let ty = f r in let tz = f r in { tx; ty; tz }

(* n doubles, of which the greatest in size is between the limits. *)
let sized n least most r =
  let l = many n (fun () -> double r) in
  let size = List.fold_left (fun m x -> Float.max m (Float.abs x)) 0.0 l in
  if not (least <= size && size <= most) then unreadable "an axis or a quaternion is zero, or beyond the limits";
  List.map exact l

let axis r = match sized 3 1e-6 1e6 r with [tx; ty; tz] -> { tx; ty; tz } | _ -> assert false
let quaternion r = match sized 4 1e-3 1e3 r with [qw; qx; qy; qz] -> { qw; qx; qy; qz } | _ -> assert false
let length f r = let x = f r in if B.sign_big_int x.mant < 0 then unreadable "a length is negative" else x
let of_int n = { mant = B.big_int_of_int n; expo = B.zero_big_int }

let read_move r ~curves ~turns =
  let kind_of = match u8 r with
    | 0 -> Translation (axis r)
    | 1 -> Rotation (axis r)
    | 2 -> Turning (index r turns)
    | _ -> unreadable "a move is of no known kind" in
  let on = match u32 r with k when k = none -> None | k when k < curves -> Some k | _ -> unreadable "there is no such curve" in
  let multiplier = f64 r in
  let offset = f64 r in
  { kind_of; on; multiplier; offset }

let read_body r ~number ~curves ~turns =
  let parent = index r number in
  let placed = quaternion r in
  let shifted = triple f64 r in
  let moves = many (u8 r) (fun () -> read_move r ~curves ~turns) in
  { parent; placed; shifted; moves }

(* Every edge of a closed surface is passed as often one way as the other, and no triangle is there twice. Not part of what is proved here, but of what is well formed. *)
let require_closed place triangles =
  let balance = Hashtbl.create 64 and known = Hashtbl.create 64 in
  let pass g i j =
    if i <> j then begin
      let key = (g, min i j, max i j) in
      let n = Option.value ~default:0 (Hashtbl.find_opt balance key) in
      Hashtbl.replace balance key (if i < j then n + 1 else n - 1)
    end in
  List.iter (fun (g, a, b, c) ->
    let triangle = (g, List.sort compare [place a; place b; place c]) in
    if Hashtbl.mem known triangle then raise (Refuted "a closed surface has a triangle twice");
    Hashtbl.add known triangle ();
    pass g a b; pass g b c; pass g c a) triangles;
  Hashtbl.iter (fun _ n -> if n <> 0 then raise (Refuted "a surface that is said to be closed is not")) balance

let read_collider r ~bodies =
  text r;
  let carrier = index r bodies in
  ignore (u8 r);
  let stated = Array.of_list (many (count r 24) (fun () -> let x = double r in let y = double r in let z = double r in (x, y, z))) in
  let vertices = Array.map (fun (x, y, z) -> { tx = exact x; ty = exact y; tz = exact z }) stated in
  let sources = Array.of_list (many (count r 11) (fun () -> let kind = u8 r in let radius = length f64 r in text r; (kind <> 0, radius))) in
  let closed = u32 r in
  let n = count r 20 in
  let surfaces = ref [] in
  let primitives = many n (fun () ->
    let a = u32 r in let b = u32 r in let c = u32 r in
    let source = u32 r in let surface = u32 r in
    if max a (max b c) >= Array.length vertices || source >= Array.length sources then unreadable "an index is out of range";
    let cylinder, radius = sources.(source) in
    if cylinder && b <> c then unreadable "a cylinder has two ends";
    let apart (x, y, z) (x', y', z') = Float.max (Float.abs (x -. x')) (Float.max (Float.abs (y -. y')) (Float.abs (z -. z'))) in
    if cylinder && not (apart stated.(a) stated.(b) > 1e-9) then unreadable "a cylinder is too short to have an axis";
    if surface <> none then begin
      if surface >= closed || cylinder || B.sign_big_int radius.mant <> 0 then unreadable "a closed surface is of bare triangles";
      surfaces := (surface, a, b, c) :: !surfaces
    end;
    if cylinder then Cylinder (vertices.(a), vertices.(b), radius) else Triangle (vertices.(a), vertices.(b), vertices.(c), radius)) in
  if n = 0 || closed > n then unreadable "a collider has no primitives, or more closed surfaces than these";
  require_closed (fun v -> stated.(v)) !surfaces;
  ({ carrier; primitives }, closed > 0)

let read_segment r ~curves ~turns =
  ignore (f64 r); ignore (f64 r);
  let curves = many curves (fun () ->
    let degree = u8 r in
    if degree > 5 then unreadable "the degree of a curve is above 5";
    let coefficients = many (degree + 1) (fun () -> f64 r) in
    { coefficients; tube_of = length f64 r }) in
  let turns = many turns (fun () -> let n = axis r in let q = quaternion r in (n, q)) in
  { curves; turns }

(* The statement, and which colliders have closed surfaces. *)
let read_statement r =
  need r 44;
  if String.sub r.bytes 0 8 <> "PCCDCERT" then unreadable "this is no certificate";
  skip r 8;
  if u32 r <> 1 then unreadable "the version of the format is not known here";
  let claimed = String.sub r.bytes r.at 32 in
  skip r 32;
  let from = r.at in
  text r; text r;
  ignore (length f64 r);
  let curves = count r 18 in
  for _ = 1 to curves do
    text r;
    for _ = 1 to 2 do if Float.is_nan (Int64.float_of_bits (i64 r)) then unreadable "a number is none" done
  done;
  let turns = u32 r in
  if turns > 100000 then unreadable "there are more than 100,000 turns";
  let last = ref 0 in
  let steps = Hashtbl.create 64 in
  Hashtbl.add steps 0 0;
  let bodies = many (count r 61) (fun () ->
    incr last;
    let b = read_body r ~number:!last ~curves ~turns in
    let n = Hashtbl.find steps b.parent + 1 + List.length b.moves in
    if n > 300 then unreadable "a body is more than 300 bodies and moves away from the world";
    Hashtbl.add steps !last n;
    b) in
  let n = count r 39 in
  if n > 20000 then unreadable "there are more than 20,000 colliders";
  let read = many n (fun () -> read_collider r ~bodies:(List.length bodies + 1)) in
  let colliders = List.map fst read in
  let body_of = Array.of_list (List.map (fun c -> c.carrier) colliders) in
  let pairs = many (count r 16) (fun () ->
    let left_of = index r n in let right_of = index r n in
    if body_of.(left_of) = body_of.(right_of) then raise (Refuted "a pair is of one body");
    { left_of; right_of; margin_of = length f64 r }) in
  if pairs = [] then raise (Refuted "no pair of bodies is stated to be apart: this proves nothing");
  let excluded = many (count r 10) (fun () -> let a = index r n in let b = index r n in text r; (a, b)) in
  let known = Hashtbl.create 64 in
  List.iter (fun (a, b) ->
    let key = (min a b, max a b) in
    if Hashtbl.mem known key then raise (Refuted "a pair is there twice");
    Hashtbl.add known key ()) (List.map (fun p -> (p.left_of, p.right_of)) pairs @ excluded);
  for _ = 1 to count r 2 do text r done;
  for _ = 1 to count r 44 do text r; text r; skip r 40 done;
  let segments = many (count r (16 + 17 * curves + 56 * turns)) (fun () -> read_segment r ~curves ~turns) in
  if segments = [] then unreadable "there is no motion in it";
  if sha256 (String.sub r.bytes from (r.at - from)) <> claimed then
    raise (Refuted "the statement was altered: its SHA-256 is not the one that stands before it");
  ({ bodies; colliders; pairs; excluded; segments }, Array.of_list (List.map snd read))

let add_triple a b = { tx = add_number a.tx b.tx; ty = add_number a.ty b.ty; tz = add_number a.tz b.tz }

let read_volumes r (c : collider) =
  let center = triple f64 r in
  let primitives = Array.of_list c.primitives in
  let rec node first last =
    let kind = u8 r in
    if kind > 6 then unreadable "a volume is of no known kind";
    let shape =
      if kind land 3 = 3 then
        if last - first = 1 then Itself else unreadable "a volume that is a primitive has more than one"
      else begin
        let radius = length f32 r in
        let base = add_triple center (triple f32 r) in
        let edges = many (kind land 3) (fun () -> triple f32 r) in
        Edges (base, edges, radius)
      end in
    if kind land 4 = 0 then VLeaf (shape, Array.to_list (Array.sub primitives first (last - first)))
    else begin
      let middle = u32 r in
      if not (first < middle && middle < last) then unreadable "a volume is split at neither of its primitives";
      let left = node first middle in
      VSplit (shape, left, node middle last)
    end in
  node 0 (Array.length primitives)

(* What `roots` says in the end: whether a leaf of the two roots was met, by which nothing is inside of anything. *)
let read_tree r leaves roots =
  let rec node depth top =
    match u8 r with
    | 0 -> incr leaves; if top then roots := true; PDirection (triple (fun r -> of_int (i16 r)) r)
    | 1 -> incr leaves; if top then roots := true; PDirection (triple f64 r)
    | 5 -> incr leaves; if top then roots := true; PBoxes
    | 2 -> let left = node depth false in PSplitA (left, node depth false)
    | 3 -> let left = node depth false in PSplitB (left, node depth false)
    | 4 ->
      if depth >= 31 then unreadable "time is split too often";
      let early = node (depth + 1) top in
      PSplitTime (early, node (depth + 1) top)
    | _ -> unreadable "a step of no known kind" in
  node 0 true

let verify path =
  let file = open_in_bin path in
  let bytes = Fun.protect ~finally:(fun () -> close_in file) (fun () -> really_input_string file (in_channel_length file)) in
  let r = { bytes; at = 0; texts = 0 } in
  let statement, closed = read_statement r in
  let volumes = List.map (read_volumes r) statement.colliders in
  let first = u64 r in
  let last = u64 r in
  let units = List.length statement.pairs * List.length statement.segments in
  if first > last || last > units then unreadable "the proofs are of units that do not exist";
  if first > 0 || last < units then raise (Refuted "this is a part of a proof: one file has to prove all units here");
  let leaves = ref 0 and nested = ref 0 in
  let proofs = many (List.length statement.segments) (fun () ->
    List.map (fun p ->
      let roots = ref false in
      let tree = read_tree r leaves roots in
      if not !roots && (closed.(p.left_of) || closed.(p.right_of)) then incr nested;
      tree) statement.pairs) in
  if r.at <> String.length bytes then unreadable "something follows the last proof";
  if not (check statement { volumes; proofs }) then raise (Refuted "the checker does not accept it");
  (!leaves, !nested)

let () =
  let paths = List.tl (Array.to_list Sys.argv) in
  if paths = [] then (prerr_endline "usage: verified_checker FILE.pccd..."; exit 2);
  let worst = ref 0 in
  List.iter (fun path ->
    let start = Sys.time () in
    let code, said =
      try
        let leaves, nested = verify path in
        (0, Printf.sprintf "accepted: all pairs are apart, %d leaves, %.2f s%s" leaves (Sys.time () -. start)
          (if nested = 0 then "" else Printf.sprintf "; whether one is inside of the other was not looked at for %d proofs" nested))
      with
      | Refuted why -> (1, "refuted: " ^ why)
      | Unreadable why -> (2, "unreadable: " ^ why)
      | Sys_error why -> (2, "unreadable: " ^ why) in
    worst := max !worst code;
    Printf.printf "%s: %s\n%!" path said) paths;
  exit !worst
