/**
 * Levels of JSON that is written out, sent or taken. kube-apiserver takes 10,000, and `JSON.parse` any number; but what
 * writes or walks a value calls itself once a level, and some thousands of these are all that a stack holds. No object
 * of Gardener has more than some twenty.
 */
export const deepestJson = 500

/** Whether parsed JSON has more levels of objects and lists than so many. Does not call itself. */
export const isDeeper = (value: unknown, levels: number = deepestJson): boolean => {
  let level = [value].filter(isHolder)
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === levels) return true
    const next: object[] = []
    for (const holder of level) {
      for (const inner of Array.isArray(holder) ? holder : Object.values(holder)) {
        if (isHolder(inner)) next.push(inner)
      }
    }
    level = next
  }
  return false
}

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null
