import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { BucketElsewhereError, ForeignBucketError } from '../functions/aws/backupbucket/s3/backup.ts'
import { ManifestError } from '../sandbox/knative/knative.ts'
import { exitCodeOf, UsageError } from '../sandbox/terminal/exit-code.ts'
import { classify } from '../shared/contract/classify.ts'
import { annotations, errorCodes } from '../shared/contract/constants.ts'
import { ClaimLostError, CodedError, RequeueAfterError, StepExpiredError } from '../shared/contract/errors.ts'
import { parseStepAnnotation } from '../shared/contract/step-annotation.ts'
import { AnswerTooLargeError, ConnectionError, KubernetesError } from '../shared/kubernetes/kubernetes.ts'
import { UnreportedError } from '../shared/lifecycle/lifecycle.ts'
import { SettingsError, startFailure } from '../shared/runtime/runtime.ts'
import { FieldError } from '../shared/worker/worker.ts'
import { AwsError, awsClassifiers, stepError } from '../terraform-free-infra/aws/account/aws.ts'
import { ActionError, ApplyError, GraphError } from '../terraform-free-infra/engine/engine.ts'
import { harness } from '../test/lifecycle/harness.ts'
import { isOfAuthor, repositorySources } from '../test/structure/repository-files.ts'
import { codeRows, endings, errorRows, stepEndings } from './error-table.ts'

const root = new URL('..', import.meta.url).pathname
const readText = (file: string) => readFileSync(`${root}/${file}`, 'utf8')

/** Returns the names of the error classes in product code, by the classes that they extend. */
const errorClasses = repositorySources()
  .filter(file => !/\.test\.ts$|\/testing\/|^(?:test|build\/(?!images\/))/.test(file) && !isOfAuthor(file))
  .flatMap(file =>
    [...readText(file).matchAll(/^\s*(?:export )?class (\w+) extends \w*Error\b/gm)].map(([, name = '']) => ({
      name,
      inSandbox: file.startsWith('sandbox/'),
    })),
  )

test('every error class in product code outside of the sandbox has a row', () => {
  const named = errorClasses.filter(({ inSandbox }) => !inSandbox).map(({ name }) => name)
  expect(named.filter(name => !Object.hasOwn(errorRows, name))).toEqual([])
})

test('an error has the name of its class, or that of a class which its readers know', () => {
  const product = repositorySources().filter(file => !/\.test\.ts$|\/testing\//.test(file))
  const named = product.flatMap(file =>
    [...readText(file).matchAll(/^(?:export )?class (\w+) extends \w*Error (\{\}|\{\n[\s\S]*?^\})/gm)].map(
      ([, name, body = '']) => {
        const given = /\bname(?:: string)? = '(\w+)'/.exec(body)?.[1]
        return name === given ? [] : [`${name} is called ${given ?? 'as the class that it extends'}`]
      },
    ),
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.flat()).toEqual([
    'ShootUnknownError is called NotFoundError',
    'TimedOutError is called TimeoutError',
  ])
})

test('every row has a class in product code', () => {
  expect(errorClasses.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(errorRows)))
})

test('every ending is used in a row', () => {
  const used = new Set(Object.values(errorRows).map(({ next }) => String(next)))
  expect(Object.keys(endings).filter(ending => !used.has(ending))).toEqual([])
})

const planted = new AwsError('doing', { code: 'AuthFailure', status: 401, said: 'AuthFailure: no' })
const throttled = new AwsError('doing', { code: 'Throttling', status: 400, said: 'Throttling: slower' })
const asStepError = (error: AwsError) =>
  stepError(error, { doing: 'doing', secrets: [], signal: new AbortController().signal })

describe('an error of an actuator', () => {
  /**
   * Runs one step with an actuator that throws the error, or never ends. Returns the state of the object, and the
   * host's answer.
   */
  const endingOf = async (thrown: unknown) => {
    const reconcile = async () => {
      if (thrown === 'never') return new Promise<never>(() => {})
      throw thrown
    }
    const seed = await harness('DNSRecord', { actuator: { reconcile } })
    await seed.create({ annotation: 'reconcile' })
    const running = seed.step()
    if (thrown === 'never') await seed.clock.advance(60_000)
    const outcome = await running
    const { status, metadata } = await seed.live()
    const step = parseStepAnnotation(metadata.annotations?.[annotations.step])
    if (outcome.kind !== 'recorded') return outcome.kind === 'unrecorded' ? 'unrecorded' : 'other'
    if (outcome.how === 'superseded') return 'superseded'
    const isShown = status?.lastOperation?.state === 'Error' && status.lastError !== undefined
    if (step?.phase !== 'waiting') return 'other'
    const waitMs = Date.parse(step.until) - seed.clock.now()
    if (step.attempt === 0) return isShown && waitMs === 123_000 ? 'requeue' : 'other'
    return waitMs !== 1_000 ? 'other' : isShown ? 'backoff' : 'unreported'
  }

  const bucket = { name: 'backups', region: 'eu-west-1' }
  const thrown: Readonly<Record<string, unknown>> = {
    CodedError: new CodedError('no', { codes: ['ERR_CONFIGURATION_PROBLEM'] }),
    RequeueAfterError: new RequeueAfterError(new Error('later'), 123_000),
    StepExpiredError: new StepExpiredError('over'),
    ClaimLostError: new ClaimLostError('lost'),
    StepTimeout: 'never',
    UnreportedError: new UnreportedError('no'),
    AnswerTooLargeError: new AnswerTooLargeError(1),
    FieldError: new FieldError('no', { field: 'name', wayOut: 'give it one' }),
    BucketElsewhereError: new BucketElsewhereError('doing', bucket, 'eu-central-1'),
    ForeignBucketError: new ForeignBucketError('doing', bucket),
    ApplyError: new ApplyError([new ActionError('create a', new Error('no'))]),
  }
  const rows = Object.entries(errorRows).filter(([, { next }]) => next in stepEndings)

  test.each(rows)('it ends the step as in its row: %s', async (name, { next }) => {
    expect(Object.keys(thrown)).toContain(name)
    expect(await endingOf(thrown[name])).toBe(next)
  })

  test.each<[string, unknown]>([
    ['a GraphError', new GraphError('a needs b')],
    ['a KubernetesError', new KubernetesError(500, 'InternalError', 'no')],
    ['a ConnectionError', new ConnectionError('reset', { cause: undefined, sent: true })],
    ['an error of AWS', asStepError(planted)],
    ['any other error', new Error('no')],
    ['a thrown value that is not an error', 'no'],
  ])('%s is shown and retried with backoff', async (_, error) => {
    expect(await endingOf(error)).toBe('backoff')
  })

  test('it is retried after 30 s if AWS throttles', () => {
    expect(asStepError(throttled)).toMatchObject({ name: 'RequeueAfterError', delayMs: 30_000 })
  })
})

describe('the exit code', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  test.each<[string, unknown, 1 | 2]>([
    ['UsageError', new UsageError('no'), 2],
    ['ManifestError', new ManifestError('no'), 1],
  ])('a command has the exit code of its row: %s', (name, error, code) => {
    const print = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    expect(errorRows[name]?.next).toBe(`exit ${code}`)
    expect(exitCodeOf(error)).toBe(code)
    expect(print).toHaveBeenCalledOnce()
  })

  test('the exit code of a process with invalid settings is 2', () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    expect(errorRows.SettingsError?.next).toBe('exit 2')
    expect(startFailure('it', new SettingsError(['no']))).toBe(2)
  })
})

describe('an error code', () => {
  test.each(errorCodes.filter(code => codeRows[code].aws !== undefined))(
    '%s is what the classifiers make of the text in its row',
    code => {
      expect(classify(codeRows[code].aws ?? '', awsClassifiers)).toContain(code)
    },
  )

  test('no classifier returns a code without a text in its row', () => {
    const given = new Set(awsClassifiers.map(({ code }) => code))
    expect(errorCodes.filter(code => codeRows[code].aws === undefined && given.has(code))).toEqual([])
  })

  test('it fails the shoot, or does not, according to the contract', () => {
    const [, section = ''] = readText('docs/contract/lifecycle.md').split('### Error codes\n')
    const [failing = '', trying = ''] = section
      .split('\n\n')
      .filter(part => part.includes('`ERR_'))
      .slice(0, 2)
    const named = (part: string) => [...part.matchAll(/`(ERR_\w+)`/g)].map(([, code = '']) => code).sort()
    const having = (fails: boolean) =>
      errorCodes.filter(code => codeRows[code].failsShoot === fails).toSorted()
    expect(having(true)).toEqual(named(failing))
    expect(having(false)).toEqual(named(trying))
  })
})
