import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { formatMilliseconds, systemClock } from '../../shared/clock/clock.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { createKubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { eventOf, post } from '../e2e/event-of.ts'
import type { LiveRecord } from '../e2e/harness.ts'
import { accessKey, namespace, recordOf, shootObjects } from '../e2e/shoot.ts'
import { freePort } from './free-port.ts'
import { installLibrary } from './installed-library.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const library = await installLibrary(process.env.CI === 'true')

/** Returns the function in the README unchanged: TypeScript that is also valid JavaScript. */
const functionOfReadme = async (): Promise<string> => {
  const [, code = ''] = /```ts\n(import [\s\S]*?)```/.exec(await readFile(`${root}README.md`, 'utf8')) ?? []
  expect(code).toContain("from '@trellis-gardener/trellis'")
  return code
}

if ('missing' in library) {
  console.warn(`SKIPPED: ${library.missing}`)
  describe('the packed library', () => test.skip(library.missing, () => {}))
} else {
  describe('the packed library, installed in an empty project', () => {
    const { folder, packed, run, remove } = library
    const inProject = (name: string) => join(folder, name)
    beforeAll(async () => {
      await writeFile(inProject('function.js'), await functionOfReadme())
      await writeFile(inProject('function.ts'), await functionOfReadme())
    })
    afterAll(remove)

    test('has JavaScript, declarations, the license and third-party notices, and no source or test', () => {
      expect(packed).toEqual(
        expect.arrayContaining([
          'LICENSE',
          'README.md',
          'cli/trellis.mjs',
          'dist/package/cli/author/describe-function.js',
          'dist/package/cli/plan/process/main.js',
          'dist/package/cli/replay/process/main.js',
          'dist/package/THIRD-PARTY-NOTICES.md',
          'dist/package/build/library/trellis.d.ts',
          'dist/package/build/library/trellis.js',
        ]),
      )
      const own = packed.filter(name => !name.startsWith('examples/authors/'))
      expect(own.filter(name => /(?<!\.d)\.ts$|\.test\.|\.real\.|^sandbox|^shared/.test(name))).toEqual([])
    })

    test.each([
      ['@trellis-gardener/trellis', ['defineFunction', 'done', 'continueAfter', 'CodedError']],
      ['@trellis-gardener/trellis/infra', ['graphOf', 'reconcileGraph', 'planGraph']],
      ['@trellis-gardener/trellis/testing', ['startSeed', 'createApiServer', 'createAws', 'virtualClock']],
    ])('has %s', async (entry, names) => {
      await writeFile(
        inProject('names.js'),
        `import * as entry from '${entry}'\nconsole.log(JSON.stringify(Object.keys(entry)))\n`,
      )
      expect(JSON.parse(await run('names.js'))).toEqual(expect.arrayContaining(names))
    })

    test.each([
      [['--version'], /^\d+\.\d+\.\d+$/],
      [['--help'], /Usage: trellis/],
      [['crds', 'DNSRecord'], /name: dnsrecords\.extensions\.gardener\.cloud/],
      [
        ['install', '--render', 'registration', '--provider', 'aws', '--registry', 'registry.example.org/a'],
        /rawChart: H4sI[\s\S]*kind: ControllerRegistration/,
      ],
      [
        [
          ...['install', '--render', 'manifests', '--function', 'aws-dnsrecord', '--seed', 'a'],
          ...['--registry', 'registry.example.org/a'],
        ],
        /kind: Trigger/,
      ],
      [['doctor', '--help'], /--kubeconfig/],
      [['replay', 'event.json'], /function {4}aws-dnsrecord\noutcome {5}succeeded/],
    ])('runs trellis %j', async (args, said) => {
      await copyFile(`${root}test/events/dnsrecord-create.json`, inProject('event.json'))
      expect(await run('node_modules/@trellis-gardener/trellis/cli/trellis.mjs', ...args)).toMatch(said)
    })

    test('runs the examples of docs/sandbox.md', async () => {
      const page = await readFile(`${root}docs/sandbox.md`, 'utf8')
      const examples = [...page.matchAll(/```[jt]s\n([\s\S]*?)```/g)].map(([, code = '']) => code)
      expect(examples.length).toBeGreaterThan(1)
      for (const code of examples) {
        await writeFile(inProject('example.js'), code)
        await run('example.js')
      }
    })

    test('types the function of the README, and reports a field that its kind does not have', async () => {
      await writeFile(
        inProject('tsconfig.json'),
        JSON.stringify({
          compilerOptions: {
            noEmit: true,
            strict: true,
            target: 'es2024',
            module: 'nodenext',
            moduleResolution: 'nodenext',
            types: ['node'],
          },
          files: ['function.ts'],
        }),
      )
      const check = () => run('node_modules/typescript/bin/tsc')
      expect(await check()).toBe('')
      const wrong = (await functionOfReadme()).replace('spec.recordType', 'spec.recordKind')
      await writeFile(inProject('function.ts'), wrong)
      await expect(check()).rejects.toThrow("Property 'recordKind' does not exist")
    })

    const framework = 'node_modules/.bin/functions-framework'
    test.each([
      ['its command line', [framework, '--source=function.js', '--target=my-function'], 'URL: '],
      [
        'a process of the library',
        ['node_modules/@trellis-gardener/trellis/dist/package/functions/main.js', 'function.js'],
        '"listening"',
      ],
    ])(
      'serves the function of the README with the functions framework, by %s, and the function works',
      async (_, args, ready) => {
        const objects = [...allCrds(), ...shootObjects(accessKey).map(([, object]) => object)]
        const server = createApiServer({ clock: systemClock, objects })
        const listener = await server.listen()
        let cli: ServerProcess | undefined
        try {
          const kubernetes = createKubernetes({ transport: server.transport, clock: systemClock })
          const asked = formatMilliseconds(systemClock.now())
          await kubernetes.create(kinds.DNSRecord.resource, recordOf('api', asked, { type: 'zone-file' }))
          const live = async () =>
            (await kubernetes.get(kinds.DNSRecord.resource, { namespace, name: 'api' })) as LiveRecord
          await writeFile(inProject('kubeconfig'), server.kubeconfig(listener.url))
          const port = await freePort()
          cli = startServerProcess({
            command: process.execPath,
            args,
            env: {
              PATH: process.env.PATH,
              KUBECONFIG: inProject('kubeconfig'),
              PORT: String(port),
              TRELLIS_ADDRESS: '127.0.0.1',
            },
            cwd: folder,
          })
          while (!cli.output().includes(ready)) {
            expect(await Promise.race([cli.ended.then(() => cli?.output()), pause()])).toBe('waits')
          }
          expect(await post(`http://127.0.0.1:${port}/`, eventOf(await live()))).toBe(204)
          expect((await live()).status).toMatchObject({
            lastOperation: { state: 'Succeeded' },
            zone: 'local',
          })
          expect(await readFile(inProject('api.zone'), 'utf8')).toMatch(/ A 203\.0\.113\.10$/)
        } finally {
          await cli?.stop()
          await listener.close()
          server.close()
        }
      },
    )
  })
}

const pause = () => new Promise<string>(resolve => setTimeout(() => resolve('waits'), 50))
