import { startupSnapshot } from 'node:v8'

/** Node draws identifiers of so many at a time and keeps the rest (`lib/internal/crypto/random.js`, `kBatchSize`). */
const keptIdentifiers = 128
/** So it does with numbers, of six bytes each (`randomCache` there). Passwords are made of them. */
const keptNumbers = 1024

/**
 * Starts a process; or, where Node builds a startup snapshot (`--build-snapshot`), warms the program up, so that what it has
 * loaded and compiled then is there at once in every process that begins with the snapshot, which starts by `boot`.
 *
 * What was read of the environment, the clock or a source of randomness before `boot` would be the same in all of them:
 * modules keep nothing of it, `warmUp` leaves nothing behind, and what Node keeps of random identifiers and numbers is
 * thrown away.
 */
export const startProcess = (boot: () => unknown, warmUp: () => Promise<void>): void => {
  if (!startupSnapshot.isBuildingSnapshot()) {
    boot()
    return
  }
  warmUp().then(
    () => {
      const identifiers = mayHaveLoaded('internal/crypto/random')
      const numbers = mayHaveLoaded('crypto')
      startupSnapshot.setDeserializeMainFunction(() => {
        if (identifiers) for (let one = 0; one < keptIdentifiers; one++) crypto.randomUUID()
        if (numbers) throwNumbersAway()
        boot()
      })
    },
    (error: unknown) => {
      process.stderr.write(`the program cannot be warmed up: ${String(error)}\n`)
      process.exitCode = 1
    },
  )
}

/** Whether the program has loaded what draws them. To draw one where nobody did would load it. */
const mayHaveLoaded = (module: string): boolean => {
  const { moduleLoadList } = process as { readonly moduleLoadList?: readonly string[] }
  return moduleLoadList?.includes(`NativeModule ${module}`) ?? true
}

const throwNumbersAway = (): void => {
  const { randomInt } = process.getBuiltinModule('node:crypto')
  for (let one = 0; one < keptNumbers; one++) randomInt(2)
}
