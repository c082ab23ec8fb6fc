import { rmSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { functionFolder } from '../../functions/testing/function-folder.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { fileWatch } from './watch-files.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/** Timers that fire when the test says so, while files change in real time. */
const timers = () => {
  const pending = new Set<() => void>()
  let begun = 0
  let waiting = Promise.withResolvers<void>()
  return {
    clock: {
      ...systemClock,
      after: (_: number, run: () => void) => {
        begun++
        pending.add(run)
        waiting.resolve()
        waiting = Promise.withResolvers()
        return () => void pending.delete(run)
      },
    },
    begun: () => begun,
    /** Resolves when that many timers have started, including cancelled ones. */
    until: async (count: number) => {
      while (begun < count) await waiting.promise
    },
    pass: () => {
      for (const run of [...pending]) {
        pending.delete(run)
        run()
      }
    },
  }
}

/** A function that imports `common/zone.ts` and is watched. */
const setUp = async () => {
  const folder = await functionFolder({
    'acme/network/function.ts': 'one',
    'acme/common/zone.ts': 'one',
    'acme/common/other.ts': 'one',
    'new/any': '',
  })
  undo.push(folder.remove)
  const path = (name: string) => join(folder.root, 'acme', name)
  const time = timers()
  let count = 0
  const watched = fileWatch(time.clock)(path('network/function.ts'), () => count++)
  undo.push(watched.close)
  const watch = (readAt = Number.POSITIVE_INFINITY) =>
    watched.watch([path('network/function.ts'), path('common/zone.ts')], readAt)
  watch()
  return {
    ...time,
    path,
    watch,
    count: () => count,
    /** One change by an editor that replaces the file. */
    replace: async (name: string) => {
      const fresh = join(folder.root, 'new/one')
      await writeFile(fresh, 'two')
      await rename(fresh, path(name))
    },
  }
}

test.each(['network/function.ts', 'common/zone.ts', 'network/new.ts'])(
  'changes of %s are reported once, after the last one',
  async name => {
    const { replace, until, pass, count } = await setUp()
    for (let times = 1; times <= 3; times++) {
      await replace(name)
      await until(times)
    }
    expect(count()).toBe(0)
    pass()
    expect(count()).toBe(1)
    await replace(name)
    await until(4)
    pass()
    expect(count()).toBe(2)
  },
)

test.each([
  ['common/other.ts', 'common/zone.ts'],
  ['network/notes.md', 'network/function.ts'],
  ['network/function.test.ts', 'network/function.ts'],
])('a change of %s, which is not part of the function, is not reported', async (other, own) => {
  const { replace, until, begun } = await setUp()
  await replace(other)
  // In the same folder, where changes arrive in order.
  await replace(own)
  await until(1)
  expect(begun()).toBe(1)
})

test('a recreated folder is still watched', async () => {
  const { path, replace, until, begun, pass, count } = await setUp()
  await rm(path('common'), { recursive: true })
  // The file is deleted, then its folder is awaited.
  await until(2)
  pass()
  expect(count()).toBe(1)
  await mkdir(path('common'))
  const before = begun()
  pass()
  await until(before + 1)
  await replace('common/zone.ts')
  await until(before + 2)
  pass()
  expect(count()).toBe(2)
})

test('the deletion of a folder before its first change counts as a change', async () => {
  const { path, until, pass, count } = await setUp()
  rmSync(path('common/other.ts'))
  rmSync(path('common'), { recursive: true })
  await until(2)
  pass()
  expect(count()).toBe(1)
})

test('a change since the last read is reported at once', async () => {
  const { watch, begun, pass, count } = await setUp()
  expect(begun()).toBe(0)
  watch(0)
  pass()
  expect(count()).toBe(1)
})

test('a hundred reads leave no more watchers than one', async () => {
  const { watch } = await setUp()
  const watchers = () => process.getActiveResourcesInfo().filter(name => name === 'FSEventWrap').length
  const before = watchers()
  for (let times = 0; times < 100; times++) watch()
  expect(watchers()).toBe(before)
  expect(before).toBeGreaterThan(1)
})
