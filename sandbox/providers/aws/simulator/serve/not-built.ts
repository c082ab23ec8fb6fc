import { ServiceError } from '../service.ts'

/**
 * A feature that AWS has and the simulator lacks. The service words the error (`Refusals.notBuilt`). The simulator
 * records it, so no test passes because of it.
 */
export class NotBuilt extends ServiceError {
  override readonly name = 'NotBuilt'
  /** `the parameter Backup`, `the checksum algorithm XXHASH64`. */
  readonly what: string

  constructor(what: string) {
    super(notImplemented(what))
    this.what = what
  }
}

/** Returns the error to throw: `throw notBuilt('the parameter Backup')`. */
export const notBuilt = (what: string): NotBuilt => new NotBuilt(what)

/** All services use the same text. The code is S3's, with a status that no SDK retries. */
export const notImplemented = (what: string) => ({
  code: 'NotImplemented',
  message: `The simulator does not support ${what}.`,
  status: 501,
})
