import { stripVTControlCharacters } from 'node:util'

/** A narrower column holds no sentence: its text stays as it is. */
const narrowest = 20

const widthOf = (text: string): number => stripVTControlCharacters(text).length

/** The lines of one line of text, none longer than `width` unless a word is. Colours have no width. */
export const wrapWords = (text: string, width: number): readonly string[] => {
  if (width < narrowest || widthOf(text) <= width) return [text]
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= width)
      lines.splice(-1, 1, `${last} ${word}`)
    else lines.push(word)
  }
  return lines
}

/** A text for a terminal of so many columns. A line that is wrapped goes on four characters deeper. Undefined: no terminal. */
export const wrapLines = (text: string, columns: number | undefined): string =>
  columns === undefined
    ? text
    : text
        .split('\n')
        .map(line => {
          if (widthOf(line) <= columns) return line
          const [indent = ''] = /^ */.exec(line) ?? []
          const deeper = `${indent}    `
          return `${indent}${wrapWords(line.slice(indent.length), columns - deeper.length).join(`\n${deeper}`)}`
        })
        .join('\n')
