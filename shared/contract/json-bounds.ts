/**
 * Levels of JSON that is written out, sent or taken. kube-apiserver takes 10,000, and `JSON.parse` any number; but what
 * writes or walks a value calls itself once a level, and some thousands of these are all that a stack holds. No object
 * of Gardener has more than some twenty.
 */
export const deepestJson = 500

/** Whether parsed JSON has more levels of objects and lists than so many. Calls itself once a level, up to that. */
export const isDeeper = (value: unknown, levels: number = deepestJson): boolean => {
  if (!isHolder(value)) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some(inner => isDeeper(inner, levels - 1))
  // Without a list of what is inside: every event of the bridge is walked.
  for (const name in value) if (isDeeper(value[name as keyof typeof value], levels - 1)) return true
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
      for (const name in next) {
        left -= name.length + 4
        if (left < 0) break
        open.push(next[name as keyof typeof next])
      }
    }
  }
  return left < 0
}

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null
