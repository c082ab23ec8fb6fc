import type { Exchange } from './exchange.ts'
import { absence } from './exchanges/absence.ts'
import { builtIn } from './exchanges/built-in.ts'
import { creation } from './exchanges/creation.ts'
import { discovery } from './exchanges/discovery.ts'
import { gadgetExchanges } from './exchanges/gadgets.ts'
import { patching } from './exchanges/patching.ts'
import { reading } from './exchanges/reading.ts'
import { removal } from './exchanges/removal.ts'
import { replacement } from './exchanges/replacement.ts'
import { secretExchanges } from './exchanges/secrets.ts'

/** A sequence of requests: each depends on the effects of those before it. */
export const exchanges: readonly Exchange[] = [
  ...absence,
  ...creation,
  ...reading,
  ...patching,
  ...replacement,
  ...removal,
  ...secretExchanges,
  ...builtIn,
  ...gadgetExchanges,
  ...discovery,
]
