import { EventEmitter } from 'node:events'
import { expect, test, vi } from 'vitest'
import { endWithCommand } from './end-with-command.ts'

const begin = () => {
  const child = Object.assign(new EventEmitter(), { kill: vi.fn(() => true) })
  const command = Object.assign(new EventEmitter(), { kill: vi.fn(() => true as const), pid: 7 })
  endWithCommand(...([child, command] as unknown as Parameters<typeof endWithCommand>))
  return { child, command }
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('a child is killed with a command that receives %s', signal => {
  const { child, command } = begin()
  command.emit(signal, signal)
  expect(child.kill).toHaveBeenCalledExactlyOnceWith('SIGKILL')
  // By then the signal has its default effect again.
  expect(command.kill).toHaveBeenCalledExactlyOnceWith(7, signal)
  expect(command.listenerCount(signal)).toBe(0)
})

test('a child that has ended restores the signal handlers', () => {
  const { child, command } = begin()
  child.emit('exit')
  expect(command.eventNames()).toEqual([])
})
