import { print } from '../../shared/terminal/print.ts'
import { allCommands } from '../command-list.ts'
import { candidatesFor } from './script.ts'

/**
 * Answers kubectl, which runs `kubectl_complete-trellis` with the words after `kubectl trellis`: a candidate on each
 * line, then 4 if files are no candidates, else 0 (the protocol of Cobra's `__complete`).
 */
export const answerKubectl = async (words: readonly string[]): Promise<void> => {
  const commands = await allCommands()
  const summaries = Object.fromEntries(Object.entries(commands).map(([name, { summary }]) => [name, summary]))
  const load = async (name: string) => (Object.hasOwn(commands, name) ? commands[name]?.load() : undefined)
  const found = await candidatesFor(words, summaries, load)
  const lines = (found ?? []).map(({ value, text }) => (text === undefined ? value : `${value}\t${text}`))
  print([...lines, found === undefined ? ':0' : ':4', ''].join('\n'))
}
