import { expect, test } from 'vitest'
import { commandOf } from './pod.ts'

const container = { command: ['/usr/bin/server', '--port=1'], args: ['--verbose'] }

test.each([
  ['overrides the command of its image', undefined, ['/usr/bin/server', '--port=1', '--verbose']],
  ['starts the program of an image elsewhere', 'program', ['/cache/server', '--port=1', '--verbose']],
  ['starts an image that replaces its command', 'command', ['/cache/server', '--verbose']],
] as const)('a container %s', (_, replaces, expected) => {
  const image = { command: ['/cache/server'], ...(replaces && { replaces }) }
  expect(commandOf(container, image)).toEqual(expected)
})

test('a container without a command has that of its image', () => {
  expect(commandOf({ args: ['--verbose'] }, { command: ['/server'] })).toEqual(['/server', '--verbose'])
})
