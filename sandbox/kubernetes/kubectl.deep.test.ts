import { execFile, spawn, spawnSync } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../shared/clock/clock.ts'
import { createApiServer } from './api-server.ts'
import { thingDefinition } from './testing/api-server-fixture.ts'

const run = promisify(execFile)
const isThere = spawnSync('kubectl', ['version', '--client']).status === 0
if (!isThere) console.info('skipped: kubectl is not on this machine; the API server is not tried with it')

const schema = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      description: 'What the thing should be.',
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', description: 'How big it is.' },
        words: { type: 'array', items: { type: 'string' } },
      },
    },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
}

const additionalPrinterColumns = [
  { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
  { name: 'Words', type: 'string', jsonPath: '.spec.words', priority: 1 },
]

const thing = (size: number): string => `apiVersion: example.com/v1
kind: Thing
metadata: { name: a, labels: { app: x } }
spec: { size: ${size}, words: [one] }
`

describe.skipIf(!isThere)(
  'kubectl',
  () => {
    let folder = ''
    let close: () => Promise<void> = async () => {}
    let file = ''

    const flags = (): readonly string[] => [
      '--kubeconfig',
      join(folder, 'kubeconfig'),
      '--cache-dir',
      join(folder, 'cache'),
    ]

    /** Returns the output of a command, and its error messages if it fails. */
    const kubectl = async (...args: readonly string[]): Promise<string> => {
      const environment = { ...process.env, KUBE_EDITOR: 'sed -i s/size:.7/size:\\ 8/' }
      try {
        const { stdout, stderr } = await run('kubectl', [...flags(), ...args], { env: environment })
        return stderr + stdout
      } catch (error) {
        const { stderr, stdout } = error as { readonly stderr: string; readonly stdout: string }
        return `failed: ${stderr}${stdout}`
      }
    }

    const apply = async (size: number, ...args: readonly string[]): Promise<string> => {
      await writeFile(file, thing(size))
      return kubectl('apply', '-f', file, ...args)
    }

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'trellis-kubectl-'))
      file = join(folder, 'thing.yaml')
      const server = createApiServer({ clock: systemClock })
      const listener = await server.listen()
      close = async () => {
        server.close()
        await listener.close()
      }
      await writeFile(join(folder, 'kubeconfig'), server.kubeconfig(listener.url))
      const definition = thingDefinition({ schema: { openAPIV3Schema: schema }, additionalPrinterColumns })
      await writeFile(join(folder, 'crd.yaml'), JSON.stringify(definition))
      expect(await kubectl('apply', '-f', join(folder, 'crd.yaml'))).toContain('created')
      expect(await kubectl('wait', 'crd/things.example.com', '--for=condition=Established')).toContain(
        'condition met',
      )
    })
    afterAll(async () => {
      await close()
      await rm(folder, { recursive: true })
    })

    test('apply creates an object, leaves it unchanged and changes it', async () => {
      expect(await apply(1)).toContain('thing.example.com/a created')
      expect(await apply(1)).toContain('thing.example.com/a unchanged')
      expect(await kubectl('diff', '-f', file)).toBe('')
      await writeFile(file, thing(2))
      expect(await kubectl('diff', '-f', file)).toContain('+  size: 2')
      expect(await apply(2)).toContain('thing.example.com/a configured')
      expect(await apply(3, '--server-side', '--force-conflicts')).toContain('serverside-applied')
    })

    test('get prints the columns of the definition', async () => {
      await apply(2)
      expect(await kubectl('get', 'th')).toMatch(/^NAME\s+SIZE\na\s+2\n$/)
      expect(await kubectl('get', 'things', '-o', 'wide', '-A')).toMatch(
        /NAMESPACE\s+NAME\s+SIZE\s+WORDS\ndefault\s+a\s+2\s+\["one"\]/,
      )
      expect(await kubectl('get', 'all', '-l', 'app=x', '-o', 'name')).toBe('thing.example.com/a\n')
      expect(await kubectl('get', 'th', '-l', 'app=y')).toContain('No resources found')
      expect(
        await kubectl(
          'get',
          'th',
          '--field-selector',
          'metadata.name=a',
          '-o',
          'jsonpath={.items[0].spec.size}',
        ),
      ).toBe('2')
    })

    test('kubectl shows the server’s message for an invalid object', async () => {
      await writeFile(file, thing(2).replace('size: 2', 'size: big'))
      expect(await kubectl('apply', '-f', file)).toContain('spec.size: Invalid value: "string"')
      await writeFile(file, thing(2).replace('size', 'typo: 1, size'))
      expect(await kubectl('apply', '-f', file)).toContain('unknown field "spec.typo"')
      expect(await kubectl('apply', '-f', file, '--validate=warn')).toContain(
        'Warning: unknown field "spec.typo"',
      )
    })

    test('kubectl edits, patches, labels, annotates and replaces', async () => {
      await apply(7)
      expect(await kubectl('edit', 'th', 'a')).toContain('edited')
      expect(await kubectl('get', 'th', 'a', '-o', 'jsonpath={.spec.size}')).toBe('8')
      expect(await kubectl('label', 'th', 'a', 'b=c')).toContain('labeled')
      expect(await kubectl('annotate', 'th', 'a', 'b=c')).toContain('annotated')
      expect(await kubectl('patch', 'th', 'a', '--type=merge', '-p', '{"spec":{"size":9}}')).toContain(
        'patched',
      )
      const operations = '[{"op":"replace","path":"/spec/size","value":10}]'
      expect(await kubectl('patch', 'th', 'a', '--type=json', '-p', operations)).toContain('patched')
      expect(await kubectl('patch', 'th', 'a', '-p', '{"spec":{"size":9}}')).toContain('is not supported by')
      await writeFile(file, thing(11))
      expect(await kubectl('replace', '-f', file)).toContain('replaced')
    })

    test('kubectl writes the status and waits for it', async () => {
      await apply(2)
      const status = '{"status":{"phase":"Done","conditions":[{"type":"Ready","status":"True"}]}}'
      const waiting = kubectl('wait', 'th/a', '--for=condition=Ready', '--timeout=10s')
      expect(
        await kubectl('patch', 'th', 'a', '--subresource=status', '--type=merge', '-p', status),
      ).toContain('patched')
      expect(await waiting).toContain('condition met')
      expect(await kubectl('wait', 'th/a', '--for=jsonpath={.status.phase}=Done', '--timeout=10s')).toContain(
        'condition met',
      )
    })

    test('kubectl describes and explains', async () => {
      await apply(2)
      expect(await kubectl('describe', 'th', 'a')).toMatch(/Kind:\s+Thing.*Size:\s+2.*Events:\s+<none>/s)
      expect(await kubectl('explain', 'thing.spec.size')).toMatch(/FIELD: size <integer>.*How big it is\./s)
      expect(await kubectl('explain', 'secret.data')).toContain('base64')
    })

    test('kubectl creates namespaces, secrets and other built-in objects', async () => {
      expect(await kubectl('create', 'ns', 'foo')).toContain('created')
      expect(await kubectl('create', 'secret', 'generic', 's', '--from-literal=a=b', '-n', 'foo')).toContain(
        'created',
      )
      expect(await kubectl('create', 'configmap', 'c', '--from-literal=a=b', '-n', 'foo')).toContain(
        'created',
      )
      expect(await kubectl('create', 'serviceaccount', 'me', '-n', 'foo')).toContain('created')
      expect(await kubectl('create', 'clusterrole', 'r', '--verb=get', '--resource=things')).toContain(
        'created',
      )
      expect(await kubectl('get', 'secret,cm', '-n', 'foo')).toMatch(
        /secret\/s\s+Opaque\s+1\s+\d+s.*configmap\/c\s+1/s,
      )
      expect(await kubectl('describe', 'secret', 's', '-n', 'foo')).toContain('a:  1 bytes')
      expect(await kubectl('get', 'ns')).toMatch(/foo\s+Active\s+\d+s/)
      expect(await kubectl('delete', 'ns', 'foo')).toContain('deleted')
      expect(await kubectl('get', 'secret', 's', '-n', 'foo')).toContain('NotFound')
    })

    test('kubectl deletes, and waits for finalizers', async () => {
      await apply(2)
      await kubectl(
        'patch',
        'th',
        'a',
        '--type=merge',
        '-p',
        '{"metadata":{"finalizers":["example.com/hold"]}}',
      )
      const deleting = kubectl('delete', 'th', 'a')
      const gone = kubectl('wait', 'th/a', '--for=delete', '--timeout=10s')
      let marked = ''
      while (marked === '')
        marked = await kubectl('get', 'th', 'a', '-o', 'jsonpath={.metadata.deletionTimestamp}')
      await kubectl('patch', 'th', 'a', '--type=merge', '-p', '{"metadata":{"finalizers":null}}')
      expect(await deleting).toContain('deleted')
      // kubectl prints nothing if the object was gone before its first read, and fails on a timeout.
      expect(await gone).toMatch(/^$|condition met/)
      expect(await kubectl('get', 'th', 'a', '--ignore-not-found')).toBe('')
    })

    test('watches', async () => {
      await apply(4)
      const watching = spawn('kubectl', [...flags(), 'get', 'th', '-w', '--output-watch-events'])
      let text = ''
      const printed = new EventEmitter()
      watching.stdout.setEncoding('utf8').on('data', (part: string) => {
        text += part
        printed.emit('more')
      })
      const until = async (words: string): Promise<void> => {
        while (!text.includes(words)) await once(printed, 'more')
      }
      await until('ADDED')
      await apply(5)
      await until('MODIFIED')
      await kubectl('delete', 'th', 'a')
      await until('DELETED')
      watching.kill()
      expect(text).toMatch(/EVENT\s+NAME\s+SIZE\nADDED\s+a\s+4\nMODIFIED\s+a\s+5\nDELETED\s+a\s+5/)
    })

    test('kubectl reads its identity and permissions', async () => {
      expect(await kubectl('auth', 'can-i', 'create', 'things')).toBe('yes\n')
      expect(await kubectl('auth', 'whoami')).toContain('trellis-sandbox')
      expect(await kubectl('cluster-info')).toContain('is running at')
      expect(await kubectl('version')).toContain('Server Version: v1.32')
      expect(await kubectl('api-resources', '--api-group=example.com')).toMatch(
        /things\s+th\s+example\.com\/v1\s+true\s+Thing/,
      )
    })
  },
  60_000,
)
