import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterAll, afterEach } from 'vitest'
import { type NotBuiltList, notBuiltChannel } from '../calls/not-built-list.ts'

const lists = new Set<NotBuiltList>()
const remember = (list: unknown): void => void lists.add(list as NotBuiltList)
subscribe(notBuiltChannel, remember)

/**
 * Set up before every test file: a test fails when it asked a simulator for what is not built, whatever it
 * asserts. One that asks on purpose takes the list: `expect(aws.notBuilt.take()).toEqual([…])`.
 */
afterEach(() => {
  const met = [...lists].flatMap(list => list.take())
  lists.clear()
  if (met.length > 0) throw new Error(`the AWS simulator was asked for what it does not have: ${met}`)
})

// The worker goes on to other files, with a set-up of their own.
afterAll(() => unsubscribe(notBuiltChannel, remember))
