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
  health: [],
  manifest: `manifest of ${name} ${types}`,
  files: [`/${name}/zone.ts`],
  ...more,
})
const broken = (problem: string): Description => ({ problems: [problem], files: [] })

/** Functions with the file contents of the test, and a seed that records the calls. */
const setUp = async (
  given: Readonly<Record<string, Description>>,
  {
    isWatched = true,
    own = [] as Parameters<typeof openAuthorFunctions>[0]['own'],
    atStart = {} as Readonly<Record<string, Description>>,
  } = {},
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
    described: { at: 0, byFile: new Map(Object.entries(atStart)) },
    clock: virtualClock(0),
    read: async (file, _, signal) => {
      await new Promise(setImmediate)
      signal.throwIfAborted()
      return content.get(file) ?? broken('the file does not exist')
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
    print: text => said.push(text),
  })
  const untilQuiet = async () => {
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
    untilQuiet,
    guests: () => guests.map(({ manifest }) => manifest),
    start: (name: string) => {
      const guest = guests.find(one => one.name === name)
      if (guest === undefined) throw new Error(`there is no function ${name}`)
      return guest.start()
    },
    save: async (file: string, description: Description) => {
      content.set(file, description)
      changes.get(file)?.()
      await untilQuiet()
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
  test('its file is read once at the start, and a change of its health needs a restart', async () => {
    const health = [
      { kind: 'Network', type: 'acme', conditions: ['SystemComponentsHealthy'], reads: [] },
    ] as const
    const file = '/a/function.ts'
    const first = described('a', ['acme'], { health })
    const { said, save } = await setUp({ [file]: broken('not read') }, { atStart: { [file]: first } })
    expect(said).toEqual(['a, for Network of type acme: a.ts:1'])
    await save(file, first)
    expect(said.slice(1)).toEqual(['a, for Network of type acme, reloaded; 1 to reconcile'])
    await save(file, described('a', ['acme']))
    expect(said.slice(2)).toEqual([
      'a: restart trellis dev to check its health as it is declared now',
      'a, for Network of type acme, reloaded; 2 to reconcile',
    ])
  })

  test('it runs as its file defines it, and its files are watched', async () => {
    const { guests, said, watched, start, started } = await setUp({
      '/a/function.ts': described('a', ['acme', 'b']),
    })
    expect(guests()).toEqual(['manifest of a acme,b'])
    expect(said).toEqual(['a, for Network of type acme, b: a.ts:1'])
    expect(watched.get('/a/function.ts')).toEqual(['/a/zone.ts'])
    await start('a')
    expect(started).toEqual(['a acme,b'])
  })

  test('a save replaces it: its process ends, and its due objects are requested', async () => {
    const { guests, restarted, asked, save, said } = await setUp({
      '/a/function.ts': described('a', ['acme']),
    })
    expect(asked).toEqual([])
    await save('/a/function.ts', described('b', ['other']))
    expect(guests()).toEqual(['manifest of b other'])
    expect(restarted).toEqual(['a'])
    expect(asked).toEqual(['b'])
    expect(said.at(-1)).toBe('b, for Network of type other, reloaded; 1 to reconcile')
  })

  test('if a save breaks it, its events wait until a save fixes it', async () => {
    const { guests, restarted, save, start, said, started } = await setUp({
      '/a/function.ts': described('a', ['acme']),
    })
    await save('/a/function.ts', broken('a.ts:3: it cannot be loaded: boom'))
    expect(said.slice(1)).toEqual([
      'a.ts:3: it cannot be loaded: boom',
      '/a/function.ts cannot be loaded: events for a wait; it is loaded again when you save it',
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
    // The pending start already uses the last save.
    expect(restarted).toEqual(['a'])
  })

  test('if it cannot start, its events wait, too', async () => {
    const { failures, start, said, save } = await setUp({ '/a/function.ts': described('a', ['acme']) })
    failures.push(new Error('its process has ended'))
    const starting = start('a')
    expect(await state(starting)).toBe('waits')
    expect(said.at(-2)).toBe('/a/function.ts: its process has ended')
    await save('/a/function.ts', described('a', ['acme']))
    expect(await state(starting)).toBe('done')
  })

  test('if it is broken from the start, it runs after the save that fixes it, and the others are not affected', async () => {
    const { guests, save, asked } = await setUp({
      '/a/function.ts': broken('a.ts:1: boom'),
      '/b/function.ts': described('b', ['b']),
    })
    expect(guests()).toEqual(['manifest of b b'])
    await save('/a/function.ts', described('a', ['a']))
    expect(guests()).toEqual(['manifest of a a', 'manifest of b b'])
    expect(asked).toEqual(['a'])
  })

  test('a save during a read causes another read', async () => {
    const { changes, untilQuiet, asked } = await setUp({ '/a/function.ts': described('a', ['acme']) })
    for (let saves = 0; saves < 5; saves++) changes.get('/a/function.ts')?.()
    await untilQuiet()
    expect(asked).toEqual(['a'])
  })

  test('without a watch, the log does not announce a next save', async () => {
    const { said } = await setUp({ '/a/function.ts': broken('a.ts:1: boom') }, { isWatched: false })
    expect(said).toEqual(['a.ts:1: boom', '/a/function.ts cannot be loaded'])
  })

  test('its waiting events end with the sandbox', async () => {
    const { functions, save, start, changes } = await setUp({ '/a/function.ts': described('a', ['acme']) })
    await save('/a/function.ts', broken('boom'))
    const starting = start('a')
    functions.close()
    await expect(starting).rejects.toThrow('the sandbox ends')
    expect(changes.size).toBe(0)
  })
})

describe('two functions for the same objects', () => {
  test.each<[string, Partial<DescribedFunction>, string]>([
    ['with the same name', { name: 'a', types: ['other'] }, 'b.ts:9: the name a is already used by a.ts:1'],
    [
      'with a type in common',
      { types: ['x', 'acme'] },
      'b.ts:9: Network of type acme in class shoot already has a function: a.ts:1',
    ],
  ])('%s are reported, and the first one remains', async (_, more, problem) => {
    const { guests, said } = await setUp({
      '/a/function.ts': described('a', ['acme']),
      '/b/function.ts': described('b', ['b'], { place: 'b.ts:9', ...more }),
    })
    expect(guests()).toEqual(['manifest of a acme'])
    expect(said).toContain(problem)
  })

  test('they may differ in kind or class', async () => {
    const { guests } = await setUp({
      '/a/function.ts': described('a', ['acme']),
      '/b/function.ts': described('b', ['acme'], { kind: 'Extension' }),
      '/c/function.ts': described('c', ['acme'], { classes: ['seed'] }),
    })
    expect(guests()).toHaveLength(3)
  })

  test('both run as soon as one of them changes', async () => {
    const { guests, save } = await setUp({
      '/a/function.ts': described('a', ['acme']),
      '/b/function.ts': described('b', ['acme']),
    })
    await save('/a/function.ts', described('a', ['other']))
    expect(guests()).toEqual(['manifest of a other', 'manifest of b acme'])
  })

  test('a conflict with a function of the project is reported', async () => {
    const own = [
      { name: 'own', kind: 'Network', types: ['acme'], classes: ['shoot'], file: '/own/function.ts' },
    ] as const
    const { said, guests } = await setUp({ '/a/function.ts': described('a', ['acme']) }, { own })
    expect(guests()).toEqual([])
    expect(said[0]).toBe(
      'a.ts:1: Network of type acme in class shoot already has a function: /own/function.ts',
    )
  })
})
