/**
 * The longest time in which AWS may not show a change yet, in milliseconds. The EC2 API is eventually consistent, and
 * AWS advises to repeat a describe call "starting with a couple of seconds of wait time, and increasing gradually up to
 * about five minutes" ("Eventual consistency in the Amazon EC2 API", EC2 Developer Guide). IAM, EFS, S3 and Route 53
 * document no number.
 *
 * "Not found" within this time after a creation proves nothing. A resource that is listed within this time after its
 * deletion may be gone.
 */
export const consistentAfterMs = 300_000
