import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterAll, afterEach } from 'vitest'
import { type NotBuiltList, notBuiltChannel } from '../calls/not-built-list.ts'

const lists = new Set<NotBuiltList>()
const remember = (list: unknown): void => void lists.add(list as NotBuiltList)
subscribe(notBuiltChannel, remember)

/**
 * Runs before every test file. A test fails if it requested an unsupported feature of a simulator, whatever it asserts.
 * A test that does so on purpose takes the list: `expect(aws.notBuilt.take()).toEqual([…])`.
 */
afterEach(() => {
  const met = [...lists].flatMap(list => list.take())
  lists.clear()
  if (met.length > 0) throw new Error(`the AWS simulator was asked for what it does not have: ${met}`)
})

// The worker runs other files next, which do their own set-up.
afterAll(() => unsubscribe(notBuiltChannel, remember))
