import { createHash, createPrivateKey, generateKeyPair, randomUUID, sign, verify } from 'node:crypto'
import http from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress } from 'node:zlib'
import { expect, test } from 'vitest'
import { createRandom } from '../random.ts'
import { createSimulationClock } from '../simulation-clock.ts'
import { deterministically } from './deterministically.ts'

const start = Date.parse('2026-01-01T00:00:00Z')

const inRun = <T>(act: (clock: ReturnType<typeof createSimulationClock>) => Promise<T>): Promise<T> => {
  const clock = createSimulationClock(start)
  return deterministically({ clock, random: createRandom('7') }, () => act(clock))
}

test('the time of the process is that of the run', async () => {
  const seen = await inRun(async clock => {
    const at: string[] = []
    setTimeout(() => at.push(new Date().toISOString()), 500)
    clearTimeout(setTimeout(() => at.push('cancelled'), 100))
    await clock.advance(1_000)
    return [...at, new Date(0).toISOString(), Date.now(), new Date() instanceof Date]
  })
  expect(seen).toEqual(['2026-01-01T00:00:00.500Z', '1970-01-01T00:00:00.000Z', start + 1_000, true])
  expect(Date.now()).toBeGreaterThan(start + 1_000)
})

test('random numbers and keys are those of the seed', async () => {
  const draw = () =>
    inRun(async () => {
      const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 3072 })
      const key = createHash('sha256')
        .update(privateKey.export({ format: 'pem', type: 'pkcs8' }))
        .digest('hex')
      return [
        Math.random(),
        randomUUID(),
        crypto.randomUUID(),
        crypto.getRandomValues(new Uint8Array(4)).join(),
        key,
      ]
    })
  expect(await draw()).toEqual(await draw())
  expect(randomUUID()).not.toBe(randomUUID())
})

test('a key of a run signs, and another one does not verify the signature', async () => {
  await inRun(async () => {
    const [one, other] = [
      await promisify(generateKeyPair)('rsa', { modulusLength: 3072 }),
      await promisify(generateKeyPair)('rsa', { modulusLength: 3072 }),
    ]
    const signed = await promisify(sign)('sha256', Buffer.from('text'), one.privateKey)
    expect(verify('sha256', Buffer.from('text'), one.publicKey, signed)).toBe(true)
    expect(verify('sha256', Buffer.from('text'), other.publicKey, signed)).toBe(false)
    const pem = one.privateKey.export({ format: 'pem', type: 'pkcs8' })
    expect(createPrivateKey(pem).asymmetricKeyType).toBe('rsa')
  })
})

test('compression ends without the thread pool, also with an error', async () => {
  await inRun(async () => {
    const compressed = await promisify(brotliCompress)('text')
    expect(String(await promisify(brotliDecompress)(compressed))).toBe('text')
    await expect(promisify(brotliDecompress)(Buffer.from('no'))).rejects.toThrow()
  })
})

test('there is no network in a run, and there are not two runs at a time', async () => {
  await inRun(async clock => {
    expect(() => http.request({ host: '127.0.0.1' })).toThrow('a simulation has no network')
    await expect(
      deterministically({ clock, random: createRandom('8') }, async () => undefined),
    ).rejects.toThrow('another simulation is running in this process')
  })
})
