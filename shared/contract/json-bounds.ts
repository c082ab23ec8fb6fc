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

/**
 * Whether the JSON of a value surely has more characters than so many; false may still be a little more, where much has
 * to be escaped. Looks at no more of the value than it takes to tell, and does not call itself.
 */
export const isLonger = (value: unknown, characters: number): boolean => {
  let left = characters
  const open = [value]
  while (open.length > 0 && left >= 0) {
    const next = open.pop()
    if (typeof next === 'string') left -= next.length + 2
    else if (!isHolder(next)) left -= 1
    else if (Array.isArray(next)) {
      left -= 1 + next.length
      if (left >= 0) for (const inner of next) open.push(inner)
    } else {
      left -= 1
      for (const [name, inner] of Object.entries(next)) {
        left -= name.length + 4
        if (left < 0) break
        open.push(inner)
      }
    }
  }
  return left < 0
}

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null
