import { describe, expect, test, vi } from 'vitest'
import { closeOnTermination } from './termination.ts'

describe('closeOnTermination', () => {
  const fakeProcess = () => {
    const listeners = new Map<string, () => void>()
    const exit = vi.fn()
    return { listeners, exit, on: (name: string, listener: () => void) => listeners.set(name, listener) }
  }

  test.each(['SIGTERM', 'SIGINT'])('the process closes at %s and ends with 0', async signal => {
    const host = fakeProcess()
    const { promise, resolve } = Promise.withResolvers<void>()
    closeOnTermination(() => promise, host)
    host.listeners.get(signal)?.()
    expect(host.exit).not.toHaveBeenCalled()
    resolve()
    await expect.poll(() => host.exit).toHaveBeenCalledWith()
  })

  test('a second signal ends the process at once', () => {
    const host = fakeProcess()
    closeOnTermination(() => new Promise(() => {}), host)
    host.listeners.get('SIGTERM')?.()
    host.listeners.get('SIGINT')?.()
    expect(host.exit).toHaveBeenCalledWith(1)
  })
})
