import { expect, test } from 'vitest'
import { commandsIn, patternOf, plainOutput } from './console-blocks.ts'

const page = `Text
\`\`\`console
$ first --flag
one
…
   …  last
$ second
\`\`\`
`

test('the commands of a page have the lines below them as output', () => {
  expect(commandsIn(page)).toEqual([
    { command: 'first --flag', output: ['one', '…', '   …  last'] },
    { command: 'second', output: [] },
  ])
})

test.each([
  ['one\ntwo\nthree\n12 s  last\n', true],
  ['one\n  1 s  last\n\n', true],
  ['one\ntwo\n', false],
  ['zero\none\n1 s  last\n', false],
  ['one\n1 s  last\nmore\n', false],
])('the shown lines describe an output completely: %j', (output, isRight) => {
  const pattern = patternOf(['one', '…', '   …  last'], { toEnd: true })
  expect(pattern.test(plainOutput(output))).toBe(isRight)
})

test('a running command has printed what is shown, and may print more', () => {
  const pattern = patternOf(['…', 'ready'], { toEnd: false })
  expect(pattern.test(plainOutput('starts\nready\nmore\n'))).toBe(true)
  expect(pattern.test(plainOutput('starts\n'))).toBe(false)
})
