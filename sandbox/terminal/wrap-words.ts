import { stripVTControlCharacters } from 'node:util'

/** The narrowest column in which text is wrapped. */
const narrowest = 20

const widthOf = (text: string): number => stripVTControlCharacters(text).length

/** Wraps one line of text at `width`. Only a word longer than `width` exceeds it. Colours have no width. */
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

/**
 * Wraps a text for a terminal with this number of columns. Continued lines are indented by four. Undefined: no
 * terminal.
 */
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
