import { expect, test } from 'vitest'
import { onFreePorts } from './free-port.ts'

test('a program gets different ports', async () => {
  await onFreePorts(20, async (...ports) => expect(new Set(ports).size).toBe(20))
})

test('a program starts again on another port if its port was taken, and only then', async () => {
  const tried: number[] = []
  const startWith = (problem: string) =>
    onFreePorts(1, async (port = 0) => {
      tried.push(port)
      if (tried.length === 1) throw new Error(problem)
      return port
    })
  expect(await startWith('listen tcp 127.0.0.1:1: bind: address already in use')).toBe(tried[1])
  tried.length = 0
  await expect(startWith('no configuration')).rejects.toThrow('no configuration')
  expect(tried).toHaveLength(1)
})
