/**
 * Escapes the characters that a reader cannot see or that change how a terminal shows the rest: control and format
 * characters, line separators and lone surrogates. `\u001b` is shown as `\u{1b}`.
 */
export const escapeInvisible = (text: string): string =>
  text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    character => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
