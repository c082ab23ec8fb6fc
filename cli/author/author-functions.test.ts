import { describe, expect, test } from 'vitest'
import type { GuestFunction } from '../../sandbox/seed/seed.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { openAuthorFunctions } from './author-functions.ts'
import type { DescribedFunction, Description } from './description.ts'

const described = (
  name: string,
  types: readonly string[],
  more: Partial<DescribedFunction> = {},
): Description => ({
  name,
  kind: 'Network',
  types,
  classes: ['shoot'],
  place: `${name}.ts:1`,
  settings: [],
  manifest: `manifest of ${name} ${types}`,
  files: [`/${name}/zone.ts`],
  ...more,
})
const broken = (problem: string): Description => ({ problems: [problem], files: [] })

/** Functions whose files say what the test says, and a seed that notes what it is told. */
const setUp = async (
  given: Readonly<Record<string, Description>>,
  { isWatched = true, own = [] as Parameters<typeof openAuthorFunctions>[0]['own'] } = {},
) => {
  const content = new Map(Object.entries(given))
  const said: string[] = []
  const started: string[] = []
  const restarted: string[] = []
  const asked: string[] = []
  const watched = new Map<string, readonly string[]>()
  const changes = new Map<string, () => void>()
  const failures: Error[] = []
  let guests: readonly GuestFunction[] = []
  const functions = await openAuthorFunctions({
    files: [...content.keys()],
    clock: virtualClock(0),
    read: async (file, _, signal) => {
      await new Promise(setImmediate)
      signal.throwIfAborted()
      return content.get(file) ?? broken('there is no such file')
    },
    start: async (_, { name, types }) => {
      const failure = failures.shift()
      if (failure !== undefined) throw failure
      started.push(`${name} ${types}`)
      return { url: `http://${name}`, close: async () => {} }
    },
    host: hosted => {
      guests = hosted
    },
    restart: async name => void restarted.push(name),
    own,
    askAgain: async ({ name }) => asked.push(name),
    ...(isWatched && {
      watch: (file, onChange) => {
        changes.set(file, onChange)
        return { watch: files => void watched.set(file, files), close: () => void changes.delete(file) }
      },
    }),
    tell: text => said.push(text),
  })
  const settled = async () => {
    for (let count = 0; count < 10; count++) await new Promise(setImmediate)
  }
  return {
    functions,
    said,
    started,
    restarted,
    asked,
    watched,
    changes,
    failures,
    settled,
    guests: () => guests.map(({ manifest }) => manifest),
    start: (name: string) => {
      const guest = guests.find(one => one.name === name)
      if (guest === undefined) throw new Error(`there is no function ${name}`)
      return guest.start()
    },
    save: async (file: string, description: Description) => {
      content.set(file, description)
      changes.get(file)?.()
      await settled()
    },
  }
}

const state = async (promise: Promise<unknown>): Promise<string> =>
  Promise.race([
    promise.then(
      () => 'done',
      () => 'failed',
    ),
    new Promise<string>(resolve => setImmediate(resolve, 'waits')),
  ])

describe('a function of an author', () => {
  test('is there with what its file says, and its files are watched', async () => {
    const { guests, said, watched, start, started } = await setUp({
      '/a/function.ts': described('a', ['acme', 'b']),
    })
    expect(guests()).toEqual(['manifest of a acme,b'])
    expect(said).toEqual(['a, for Network of type acme, b: a.ts:1'])
    expect(watched.get('/a/function.ts')).toEqual(['/a/zone.ts'])
    await start('a')
    expect(started).toEqual(['a acme,b'])
  })

  test('is another one after a save: its process ends, and what is due is asked for', async () => {
    const { guests, restarted, asked, save, said } = await setUp({
      '/a/function.ts': described('a', ['acme']),
    })
    expect(asked).toEqual([])
    await save('/a/function.ts', described('b', ['other']))
    expect(guests()).toEqual(['manifest of b other'])
    expect(restarted).toEqual(['a'])
    expect(asked).toEqual(['b'])
    expect(said.at(-1)).toBe('b, for Network of type other, is loaded again; 1 to be reconciled')
  })

  test('that is broken by a save has its events wait until a save mends it', async () => {
    const { guests, restarted, save, start, said, started } = await setUp({
      '/a/function.ts': described('a', ['acme']),
    })
    await save('/a/function.ts', broken('a.ts:3: it cannot be loaded: boom'))
    expect(said.slice(1)).toEqual([
      'a.ts:3: it cannot be loaded: boom',
      '/a/function.ts cannot be used: events for a wait; the next save of it is tried',
    ])
    expect(restarted).toEqual(['a'])
    expect(guests()).toEqual(['manifest of a acme'])
    const starting = start('a')
    expect(await state(starting)).toBe('waits')
    await save('/a/function.ts', broken('a.ts:3: it cannot be loaded: boom again'))
    expect(await state(starting)).toBe('waits')
    await save('/a/function.ts', described('a', ['acme', 'new']))
    expect(await starting).toMatchObject({ url: 'http://a' })
    expect(started).toEqual(['a acme,new'])
    // What was about to start is that of the last save already.
    expect(restarted).toEqual(['a'])
  })

  test('that cannot be started has its events wait, too', async () => {
    const { failures, start, said, save } = await setUp({ '/a/function.ts': described('a', ['acme']) })
    failures.push(new Error('its process has ended'))
    const starting = start('a')
    expect(await state(starting)).toBe('waits')
    expect(said.at(-2)).toBe('/a/function.ts: its process has ended')
    await save('/a/function.ts', described('a', ['acme']))
    expect(await state(starting)).toBe('done')
  })

  test('that is broken from the start comes with the save that mends it, and the others are there', async () => {
    const { guests, save, asked } = await setUp({
      '/a/function.ts': broken('a.ts:1: boom'),
      '/b/function.ts': described('b', ['b']),
    })
    expect(guests()).toEqual(['manifest of b b'])
    await save('/a/function.ts', described('a', ['a']))
    expect(guests()).toEqual(['manifest of a a', 'manifest of b b'])
    expect(asked).toEqual(['a'])
  })

  test('is read anew when it is saved while it is read', async () => {
    const { changes, settled, asked } = await setUp({ '/a/function.ts': described('a', ['acme']) })
    for (let saves = 0; saves < 5; saves++) changes.get('/a/function.ts')?.()
    await settled()
    expect(asked).toEqual(['a'])
  })

  test('that is not watched says so, and nothing of a next save', async () => {
    const { said } = await setUp({ '/a/function.ts': broken('a.ts:1: boom') }, { isWatched: false })
    expect(said).toEqual(['a.ts:1: boom', '/a/function.ts cannot be used'])
  })

  test('waits for nothing any more when the sandbox ends', async () => {
    const { functions, save, start, changes } = await setUp({ '/a/function.ts': described('a', ['acme']) })
    await save('/a/function.ts', broken('boom'))
    const starting = start('a')
    functions.close()
    await expect(starting).rejects.toThrow('the sandbox ends')
    expect(changes.size).toBe(0)
  })
})

describe('two functions for one thing', () => {
  test.each<[string, Partial<DescribedFunction>, string]>([
    ['of one name', { name: 'a', types: ['other'] }, 'b.ts:9: the name a is taken by a.ts:1'],
    [
      'with a type in common',
      { types: ['x', 'acme'] },
      'b.ts:9: Network of type acme in class shoot has a function already: a.ts:1',
    ],
  ])('%s are told, and the first one stays', async (_, more, problem) => {
    const { guests, said } = await setUp({
      '/a/function.ts': described('a', ['acme']),
      '/b/function.ts': described('b', ['b'], { place: 'b.ts:9', ...more }),
    })
    expect(guests()).toEqual(['manifest of a acme'])
    expect(said).toContain(problem)
  })

  test('may differ in kind or class', async () => {
    const { guests } = await setUp({
      '/a/function.ts': described('a', ['acme']),
      '/b/function.ts': described('b', ['acme'], { kind: 'Extension' }),
      '/c/function.ts': described('c', ['acme'], { classes: ['seed'] }),
    })
    expect(guests()).toHaveLength(3)
  })

  test('are both there as soon as one of them is another one', async () => {
    const { guests, save } = await setUp({
      '/a/function.ts': described('a', ['acme']),
      '/b/function.ts': described('b', ['acme']),
    })
    await save('/a/function.ts', described('a', ['other']))
    expect(guests()).toEqual(['manifest of a other', 'manifest of b acme'])
  })

  test('are told where the project has the other one', async () => {
    const own = [
      { name: 'own', kind: 'Network', types: ['acme'], classes: ['shoot'], file: '/own/function.ts' },
    ] as const
    const { said, guests } = await setUp({ '/a/function.ts': described('a', ['acme']) }, { own })
    expect(guests()).toEqual([])
    expect(said[0]).toBe(
      'a.ts:1: Network of type acme in class shoot has a function already: /own/function.ts',
    )
  })
})
