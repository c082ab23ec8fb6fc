import { type AST, RegExpParser } from '@eslint-community/regexpp'

/**
 * Returns the parts of an expression that read a text repeatedly: an unbounded part (`.*`) that also matches its own
 * prefix, followed by a part that may fail. For `quota.*exceeded`, each `quota` in a long line starts another scan of
 * the rest. An expression that is anchored at the start has one start only, but two such parts (`^.*key.*$`) can divide
 * the text in as many ways as it contains `key`.
 *
 * `scslre` finds repetitions of single characters. This function finds repetitions of words. Both check the expression,
 * not its run time.
 */
export const pumpedParts = (source: string, flags: string): readonly string[] => {
  const { alternatives } = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  })
  const found: string[] = []
  const looseFlags = flags.replace(/[gy]/g, '')

  const takes = (quantifier: AST.Quantifier, text: string): boolean =>
    text !== '' && new RegExp(`^(?:${quantifier.raw})$`, looseFlags).test(text.repeat(3))

  const walk = (
    elements: readonly AST.Element[],
    before: string,
    isFree: boolean,
    mayFail: boolean,
  ): void => {
    let prefix = before
    let free = isFree
    elements.forEach((element, index) => {
      const rest = elements.slice(index + 1)
      const fails = mayFail || rest.some(canFail)
      if (element.type === 'Assertion' && element.kind === 'start') free = false
      if (element.type === 'Quantifier' && element.max === Number.POSITIVE_INFINITY && fails) {
        const isPumped = free && takes(element, prefix)
        const shares = elements.slice(0, index).some((other, at) => {
          if (other.type !== 'Quantifier' || other.max !== Number.POSITIVE_INFINITY) return false
          const between = elements
            .slice(at + 1, index)
            .map(sample)
            .join('')
          return takes(other, between) && takes(element, between)
        })
        if (isPumped || shares) found.push(element.raw)
      }
      for (const inner of alternativesOf(element)) walk(inner.elements, prefix, free, fails)
      prefix += sample(element)
    })
  }

  for (const { elements } of alternatives) walk(elements, '', !flags.includes('y'), false)
  return found
}

const alternativesOf = (element: AST.Element): readonly AST.Alternative[] => {
  if (element.type === 'Quantifier') return alternativesOf(element.element)
  return element.type === 'Group' || element.type === 'CapturingGroup' ? element.alternatives : []
}

const canFail = (element: AST.Element): boolean =>
  element.type === 'Quantifier' ? element.min > 0 && canFail(element.element) : true

/** Returns a text that matches an element. */
const sample = (element: AST.Element): string => {
  switch (element.type) {
    case 'Character':
      return String.fromCodePoint(element.value)
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass': {
      const expression = new RegExp(`^${element.raw}$`, element.raw.includes('\\p') ? 'u' : '')
      return [...'a0 A!"\\-/\n'].find(character => expression.test(character)) ?? ''
    }
    case 'Group':
    case 'CapturingGroup':
      return element.alternatives[0]?.elements.map(sample).join('') ?? ''
    case 'Quantifier':
      return sample(element.element).repeat(element.min)
    case 'Assertion':
    case 'Backreference':
      return ''
  }
}
