import { PassThrough } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { createQuestions, type Questions } from './questions.ts'

let questions: Questions | undefined
afterEach(() => questions?.close())

const open = () => {
  const input = new PassThrough()
  const output = new PassThrough()
  questions = createQuestions(input, output)
  return { input, questions, said: () => String(output.read() ?? '') }
}
const even = (text: string): number => {
  if (Number(text) % 2 !== 0) throw new UsageError(`${text} is odd`)
  return Number(text)
}

test('a question is repeated until its answer is valid', async () => {
  const { input, questions, said } = open()
  const answer = questions.ask('how many', even)
  input.write('3\n')
  await new Promise(resolve => setImmediate(resolve))
  input.write('4\n')
  expect(await answer).toBe(4)
  expect(said()).toBe('how many: 3 is odd\nhow many: ')
})

test('an empty answer selects the default', async () => {
  const { input, questions, said } = open()
  const answer = questions.ask('how many', even, '2')
  input.write('\n')
  expect(await answer).toBe(2)
  expect(said()).toBe('how many [2]: ')
})

test('a closed terminal ends the question', async () => {
  const { input, questions } = open()
  const answer = questions.ask('how many', even)
  input.end()
  await expect(answer).rejects.toThrow('input ended without an answer; nothing was written')
})
