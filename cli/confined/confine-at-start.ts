import { confineProcess } from './confine-process.ts'

// Loaded with --import before the program of another version, which must not decide about its own limits.
confineProcess('none')
