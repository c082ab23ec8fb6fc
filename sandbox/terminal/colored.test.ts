import { describe, expect, test } from 'vitest'
import { isColored } from './colored.ts'

describe('coloured output', () => {
  test.each<[boolean, Readonly<Record<string, string>>, boolean]>([
    [true, {}, true],
    [true, { TERM: 'xterm-256color' }, true],
    [true, { TERM: 'dumb' }, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    [true, { FORCE_COLOR: '0' }, false],
    [true, { FORCE_COLOR: 'false' }, false],
    [true, { CI: 'true' }, true],
    [false, {}, false],
    [false, { CI: 'true' }, false],
    [false, { NO_COLOR: '' }, false],
    [false, { FORCE_COLOR: '' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [false, { FORCE_COLOR: '3' }, true],
  ])('on a terminal: %s, with %o: %s', (isTTY, env, expected) => {
    expect(isColored({ isTTY }, env)).toBe(expected)
  })
})
