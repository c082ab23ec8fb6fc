/** The night draws other cases (`SEED`), and has time for all of them. */
export const isNight = process.env.SEED !== undefined

/** Every `nth` of the cases, from the one with index `from`. The night gets all of them. */
export const share = <T>(cases: readonly T[], nth: number, from = 0): readonly T[] =>
  isNight ? cases : cases.filter((_, index) => index % nth === from % nth)

/** The number of runs of a property: a third of those of the night. */
export const runs = (ofNight: number): number => (isNight ? ofNight : Math.ceil(ofNight / 3))
