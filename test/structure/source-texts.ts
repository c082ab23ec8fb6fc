/**
 * A comment, a text literal or the name of a test, with the line at which it starts. `first literal`: the literal that
 * starts a call or a list at the beginning of a line, or the value of `what`. In tests, it usually is the name of a
 * case.
 */
export interface SourceText {
  readonly kind: 'comment' | 'literal' | 'first literal' | 'test name'
  readonly line: number
  /** Without comment marks and quotes. Escapes are not decoded. `…` replaces each expression of a template. */
  readonly text: string
}

const regularExpression = String.raw`(?<=[(,=:[!&|?{};]\s*|return\s+)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*`
const comment = String.raw`\/\*[\s\S]*?\*\/|\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*`
const quoted = String.raw`'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"`
/** A backtick starts a template; braces find the end of its expressions. */
const tokens = () => new RegExp([regularExpression, comment, quoted, '[`{}]'].join('|'), 'g')

/** The call before the name of a test, such as `test(`, `describe.skip(` or the second call of `test.each(rows)(`. */
const testCall = /(?:(?<![.\w])(?:test|it|describe)(?:\.\w+)*|\))\(\s*$/

/** The text before the first literal of a call or a list, such as `create(` or `[` at the beginning of a line. */
const firstPlace = /(?:^|\n)[ \t]*(?:(?:\.{3})?[\w.]+\(|\[)\s*$|\bwhat: $/

const withoutMarks = (text: string): string =>
  text
    .split('\n')
    .map(line => line.trim().replace(/^(?:\/\/|\/\*+|\*(?!\/))\s?|\s?\*\/$/g, ''))
    .join(' ')
    .trim()

/** Returns the comments and text literals of TypeScript code, in the order of their ends. */
export const sourceTexts = (source: string): readonly SourceText[] => {
  const texts: SourceText[] = []
  const add = (kind: SourceText['kind'], at: number, text: string) => {
    if (text.trim() !== '') texts.push({ kind, line: source.slice(0, at).split('\n').length, text })
  }
  const kindAt = (at: number) => {
    const before = source.slice(Math.max(0, at - 80), at)
    if (testCall.test(before)) return 'test name'
    return firstPlace.test(before) ? 'first literal' : 'literal'
  }
  /** Templates with an open expression, each with its number of open braces. */
  const open: { at: number; text: string; braces: number }[] = []
  const next = tokens()
  const inTemplate = (template: { at: number; text: string }) => {
    const part = /(?:\\[\s\S]|\$(?!\{)|[^\\`$])*/y
    part.lastIndex = next.lastIndex
    const text = template.text + (part.exec(source)?.[0] ?? '')
    if (source[part.lastIndex] === '$') open.push({ at: template.at, text: `${text}…`, braces: 0 })
    else add(kindAt(template.at), template.at, text)
    next.lastIndex = part.lastIndex + (source[part.lastIndex] === '$' ? 2 : 1)
  }
  for (let match = next.exec(source); match !== null; match = next.exec(source)) {
    const [token] = match
    const innermost = open.at(-1)
    if (token === '`') inTemplate({ at: match.index, text: '' })
    else if (token === '}' && innermost?.braces === 0) inTemplate(open.pop() ?? innermost)
    else if (token === '{' || token === '}') {
      if (innermost !== undefined) innermost.braces += token === '{' ? 1 : -1
    } else if (/^\/[/*]/.test(token)) add('comment', match.index, withoutMarks(token))
    else if (/^['"]/.test(token)) add(kindAt(match.index), match.index, token.slice(1, -1))
  }
  return texts
}
