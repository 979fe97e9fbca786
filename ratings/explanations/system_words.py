"""The texts of explanations of other federations' systems, marked for translation. `words` says them."""

from django.utils.translation import gettext_noop

LABELS = (
    gettext_noop("Games"), gettext_noop("Performance"), gettext_noop("Bonus"), gettext_noop("New rating"),
    gettext_noop("Round"), gettext_noop("Opponent"), gettext_noop("Colour"), gettext_noop("White"), gettext_noop("Black"),
    gettext_noop("Result"), gettext_noop("Counts"), gettext_noop("Opponent’s rating"), gettext_noop("Score"),
    gettext_noop("Expected"), gettext_noop("Change"), gettext_noop("Rating"), gettext_noop("Rating before the event"),
    gettext_noop("Provisional rating"), gettext_noop("Expected score"), gettext_noop("Natural rating"),
    gettext_noop("Rated as"), gettext_noop("established"), gettext_noop("provisional"), gettext_noop("unrated"),
    gettext_noop("Highest rating"), gettext_noop("Games n"), gettext_noop("Bonus for a lifetime high"),
    gettext_noop("Bonus for a jump"), gettext_noop("Before rounding"), gettext_noop("Floor"), gettext_noop("rated"),
    gettext_noop("FIDE rating"), gettext_noop("Score S"), gettext_noop("Published"), gettext_noop("Published rating"),
    gettext_noop("Expected scores and changes"), gettext_noop("First calculation: performance"),
    gettext_noop("Second calculation: performance"), gettext_noop("Estimate of the rating"), gettext_noop("Expected scores"),
    gettext_noop("Preliminary rating of the unrated"), gettext_noop("Temporary performance"), gettext_noop("Starting rating"),
    gettext_noop("Effective games and K"), gettext_noop("First estimate"), gettext_noop("Intermediate rating"),
    gettext_noop("Rating before floors"), gettext_noop("Floors"), gettext_noop("Score above expectation"),
    gettext_noop("Rating change"), gettext_noop("not rated here"), gettext_noop("yes"), gettext_noop("no: not played"),
    gettext_noop("no: a side cannot be rated"), gettext_noop("no: entered twice"), gettext_noop("Own rating"),
    gettext_noop("Credit"), gettext_noop("Earlier games"), gettext_noop("Old rating"), gettext_noop("Sweeps"),
    gettext_noop("Rating before the bonus"), gettext_noop("Threshold"), gettext_noop("Excess, rounded"), gettext_noop("Raised"),
    gettext_noop("Estimate"), gettext_noop("Rating before"), gettext_noop("Games before"), gettext_noop("Preliminary rating"),
    gettext_noop("Wins − losses"), gettext_noop("Difference"), gettext_noop("Highest rating before"), gettext_noop("Gain"),
    gettext_noop("Rounds n"), gettext_noop("From"), gettext_noop("given"), gettext_noop("Canadian rating"),
    gettext_noop("sister system"), gettext_noop("age"), gettext_noop("nothing known"), gettext_noop("Effective games N'"),
    gettext_noop("Games m"), gettext_noop("Expected E"), gettext_noop("Bonus threshold"), gettext_noop("Sum of expected"),
    gettext_noop("Expected at the new rating"), gettext_noop("earlier games"), gettext_noop("Absolute floor"),
    gettext_noop("Floor from the best rating"), gettext_noop("Granted floor"), gettext_noop("established, number unknown"),
    gettext_noop("Expected We"), gettext_noop("Score W"), gettext_noop("Cut-off"), gettext_noop("old rating + change + bonus"),
    gettext_noop("a foreign player's rating stays"), gettext_noop("the last estimate"),
    gettext_noop("the rating before the event"), gettext_noop("(N R + sum of Ri ± %(n1)s) / (N + m)"),
    gettext_noop("a gain is rounded up, a loss down"), gettext_noop("No bonus: none with K %(n1)s."),
    gettext_noop("No bonus: none from %(n1)s on."), gettext_noop("No new rating."),
    gettext_noop("No rated game: nothing changes."), gettext_noop("Of what is above %(n1)s, %(n2)s counts."),
    gettext_noop("No bonus: fewer than %(n1)s games."), gettext_noop("The gain is %(n1)s above the threshold."),
    gettext_noop("A half-K event."), gettext_noop("It is never under %(n1)s."),
    gettext_noop("Held at %(n1)s; %(n2)s was earned."), gettext_noop("Held at %(n1)s; −%(n2)s was earned."),
    gettext_noop("No bonus in a match."), gettext_noop("The special formula stops at %(n1)s."),
    gettext_noop("A half-K event: the change is halved."),
)  # fmt: skip
SENTENCES = (
    gettext_noop("First calculation: expected scores and changes"),
    gettext_noop("Second calculation: expected scores and changes"),
    gettext_noop("First calculation: estimate of the rating"),
    gettext_noop("Second calculation: estimate of the rating"),
    gettext_noop("a game counts that was played, between two players who can be rated"),
    gettext_noop("E = %(n1)s / (%(n2)s + %(n3)s^((opponent's rating − own rating) / %(n4)s))"),
    gettext_noop(
        "E = %(n1)s / (%(n2)s + %(n3)s^((opponent's rating − own rating) / %(n4)s)); change = sum of K × (score − E)"
    ),
    gettext_noop("sum of (opponent's rating + %(n1)s × (%(n2)s × score − %(n3)s)) / games"),
    gettext_noop(
        "(sum of (opponent's rating + %(n1)s × (%(n2)s × score − %(n3)s)) + earlier games × old rating) / (games +"
        " earlier games)"
    ),
    gettext_noop(
        "threshold = rating + %(n1)s + %(n2)s × (games − %(n3)s); bonus = rating before it − threshold, × %(n4)s with K"
        " %(n5)s; rating with it at most %(n6)s and the performance"
    ),
    gettext_noop("established with the event of game %(n1)s"),
    gettext_noop("mean over the rated of R − %(n1)s (W − L) / n − %(n2)s"),
    gettext_noop("mean rating of the opponents + %(n1)s (W − L) / n"),
    gettext_noop("(R × games before + performance × games) / (games before + games)"),
    gettext_noop("the table of expected scores by difference of rating"),
    gettext_noop("R + K (S − E); K = %(n1)s below %(n2)s, %(n3)s from %(n4)s on"),
    gettext_noop(
        "%(n1)s Ke above the highest rating; %(n2)s Ke × (gain − %(n3)s Ke √n) above the threshold; n = rated games; Ke"
        " = K / %(n4)s"
    ),
    gettext_noop(
        "%(n1)s Ke above the highest rating; %(n2)s Ke × (gain − %(n3)s Ke √n) above the threshold; n = rounds; Ke ="
        " %(n4)s from %(n5)s on, else %(n6)s"
    ),
    gettext_noop("the nearest whole number, a half upwards; not under the floor"),
    gettext_noop("the first that is known: given rating, FIDE rating, Canadian rating, sister system, age"),
    gettext_noop(
        "N' = min(N, %(n1)s / √(%(n2)s + %(n3)s × (%(n4)s − R)²)) up to %(n5)s, min(N, %(n6)s) above; K = %(n7)s / (N'"
        " + m)"
    ),
    gettext_noop(
        "N' = min(N, %(n1)s / √(%(n2)s + %(n3)s × (%(n4)s − R)²)) up to %(n5)s, min(N, %(n6)s) above; K = %(n7)s / (N'"
        " + %(n8)s m)"
    ),
    gettext_noop(
        "N' = min(N, %(n1)s / √(%(n2)s + %(n3)s × (%(n4)s − R)²)) up to %(n5)s, min(N, %(n6)s) above; K = %(n7)s / (N'"
        " + m) × (%(n8)s − %(n9)s R) above %(n10)s, %(n11)s / (N' + m) from %(n12)s on"
    ),
    gettext_noop(
        "We = %(n1)s / (%(n2)s + %(n3)s^((Ri − R) / %(n4)s)); R + K (S − E) + bonus; bonus = what K (S − E) is above"
        " %(n5)s √max(m, %(n6)s)"
    ),
    gettext_noop(
        "the rating R at which N' PWe(R, R%(n1)s') + Σ PWe(R, Ri) = S'; PWe = ½ + (R − Ri) / %(n2)s, from %(n3)s to"
        " %(n4)s at %(n5)s points"
    ),
    gettext_noop("the highest of the floors and the rating before floors"),
    gettext_noop("the nearest whole number, a half upwards"),
    gettext_noop("the guide is for players of %(n1)s or more games"),
    gettext_noop(
        "table %(n1)s, straight between its rows, to two places, a half upwards; .%(n2)s from a difference of %(n3)s"
        " on; for the lower rated %(n4)s less that, rounded in its turn"
    ),
    gettext_noop(
        "K × (W − We); K by table %(n1)s, straight between the ratings to a whole number, a half upwards; under %(n2)s"
        " as at %(n3)s, above %(n4)s as at %(n5)s"
    ),
    gettext_noop("what the change is above the cut-off of table %(n1)s; nothing below it"),
    gettext_noop("rating before + change + bonus; published to the nearest whole number, a half upwards"),
    gettext_noop("Opponents with a bonus are seen at their rating with it; the player's own rating is the old one."),
    gettext_noop("Neither an opponent nor an opponent's opponent is rated or foreign: the player cannot be rated."),
    gettext_noop("A game against an opponent without a rating has no expected score."),
    gettext_noop("Games against opponents without a rating are left out."),
    gettext_noop("No opponent has a rating: nothing can be said."),
    gettext_noop("The estimates did not converge in %(n1)s sweeps; this player still moved."),
    gettext_noop("The estimates did not converge in %(n1)s sweeps; this player did not move."),
    gettext_noop("No bonus: none with fewer than %(n1)s games."),
    gettext_noop("No bonus: the threshold is not exceeded."),
    gettext_noop("No bonus: bonuses are switched off for this event."),
    gettext_noop("Capped: the rating with the bonus may not exceed %(n1)s."),
    gettext_noop("Game %(n1)s falls into this event: rated as established."),
    gettext_noop("More than half of the players are unrated: the operator gave it."),
    gettext_noop("Unrated opponents stand at the preliminary rating, all others as listed."),
    gettext_noop("Established opponents stand as listed, provisional and unrated ones at their new ratings."),
    gettext_noop("Opponents stand as listed, unrated ones at their temporary performance."),
    gettext_noop(
        "Established opponents stand as listed, provisional ones at their new rating, unrated ones at their temporary"
        " performance."
    ),
    gettext_noop("What is below %(n1)s counts %(n2)s times."),
    gettext_noop("The natural rating is above the highest rating before."),
    gettext_noop("A match changes at most %(n1)s points; %(n2)s were earned."),
    gettext_noop("A match changes at most %(n1)s points; −%(n2)s were earned."),
    gettext_noop("The floor of %(n1)s held; %(n2)s was earned."),
    gettext_noop("The floor of %(n1)s held; −%(n2)s was earned."),
    gettext_noop("Fewer than %(n1)s games: not published yet."),
    gettext_noop("Opponents stand at their rating before the event, newcomers at their first estimate."),
    gettext_noop("Opponents stand at their intermediate rating."),
    gettext_noop("The approximate method needs no starting rating."),
    gettext_noop("The lower K of a dual-rated event applies, because the rating is above %(n1)s."),
    gettext_noop("It serves only as the strength of an opponent in the next step."),
    gettext_noop("%(n1)s is above the threshold of %(n2)s: %(n3)s are added."),
    gettext_noop("No bonus: an opponent was met %(n1)s times."),
    gettext_noop("Every rating on a stretch fits; the one nearest to the starting rating is taken."),
    gettext_noop("Online there is the absolute floor alone."),
    gettext_noop("The next event begins from this whole number."),
    gettext_noop("The change is %(n1)s above the cut-off of %(n2)s: this is added again."),
)
