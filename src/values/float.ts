/** Floats of 32 bits: IEEE 754's binary32. */

/**
 * The decimal that PostgreSQL prints for a float: the one with the fewest digits that reads as this float; of two, the nearer one, then
 * the one with an even last digit.
 *
 * @param float a number that `Math.fround` keeps.
 * @see https://doi.org/10.1145/3192366.3192369 Ryū: fast float-to-string conversion. Like PostgreSQL, without the bounds of its intervals.
 */
export function shortestOfFloat(float: number): number {
  // Nine digits tell all floats from one another.
  for (let digits = 1; digits < 9; digits++) {
    const shortest = decimalsNear(float, digits).find((decimal) => isWithin(decimal, float))
    if (shortest !== undefined) return shortest
  }
  return Number(float.toPrecision(9))
}

/** Whether a decimal reads as a float, and is not the middle between two floats. */
const isWithin = (decimal: number, float: number): boolean =>
  Math.fround(decimal * (1 - Number.EPSILON)) === float && Math.fround(decimal * (1 + Number.EPSILON)) === float

/** Two decimals near a float, the better one first. */
function decimalsNear(float: number, digits: number): readonly number[] {
  const [mantissa, exponent] = float.toExponential(digits - 1).split('e') as [string, string]
  const nearest = Number(mantissa.replace('.', ''))
  const decimalOf = (integer: number) => Number(`${integer}e${Number(exponent) - digits + 1}`)
  const longer = float.toExponential(digits)
  // It rounds a tie away from zero.
  const isOddTie = nearest % 2 !== 0 && longer.includes('5e') && Number(longer) === float
  if (isOddTie) return [decimalOf(nearest - Math.sign(nearest)), decimalOf(nearest)]
  // Below a power of two, floats are half as far apart as above it: only the decimal above may read as the float.
  return [decimalOf(nearest), decimalOf(nearest + Math.sign(nearest))]
}
