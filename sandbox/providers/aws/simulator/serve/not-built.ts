import { ServiceError } from '../service.ts'

/**
 * Something that AWS has and the simulator has not. The service words the refusal (`Refusals.notBuilt`), and
 * the simulator remembers it, so that no test passes because of it.
 */
export class NotBuilt extends ServiceError {
  /** `the parameter Backup`, `the checksum algorithm XXHASH64`. */
  readonly what: string

  constructor(what: string) {
    super(notImplemented(what))
    this.name = 'NotBuilt'
    this.what = what
  }
}

/** The error to throw: `throw notBuilt('the parameter Backup')`. */
export const notBuilt = (what: string): NotBuilt => new NotBuilt(what)

/** The text is the same for all services; the code is S3's, and its status is one that no SDK tries again. */
export const notImplemented = (what: string) => ({
  code: 'NotImplemented',
  message: `The simulator does not support ${what}.`,
  status: 501,
})
