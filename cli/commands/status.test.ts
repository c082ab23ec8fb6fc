import { expect, test } from 'vitest'
import type { ShootStatus } from '../observe/observe.ts'
import { consoleText } from './status.ts'

const status = (shoot: string | undefined, state: ShootStatus['state']): ShootStatus => ({
  ...{ shoot, state, title: '', objects: 1, troubled: [] },
})

test('status names the command that opens the console at the first shoot that is not fine', () => {
  expect(
    consoleText([status(undefined, 'failed'), status('shoot--a--b', 'failed'), status('c', 'waiting')]),
  ).toBe('See it on a page:\n  run: trellis console --shoot shoot--a--b\n')
  expect(consoleText([status('c', 'ok'), status(undefined, 'failed')])).toBe('')
})
