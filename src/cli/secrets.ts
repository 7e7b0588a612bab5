/** Finds columns whose names suggest a secret. */

const secretWords = new Set(
  (
    'password passwords passwd pwd pass passcode passphrase pin secret secrets hash hashes salt token tokens credential credentials ' +
    'otp jwt cookie cvv cvc'
  ).split(' '),
)
/** Words that make a key secret. */
const secretKeys = new Set('api private access secret encryption signing session auth master'.split(' '))

/** Splits `userAPIKey`, `user_api_key` and `user api-key` into user, api and key. */
const wordsOf = (name: string): readonly string[] =>
  Array.from(name.matchAll(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+/gu), ([word]) => word.toLowerCase())

/** Whether the name of a column suggests a password, a token, a key of an API or another secret. */
export function isSecret(name: string): boolean {
  const words = wordsOf(name)
  return words.some(
    (word, at) =>
      secretWords.has(word) ||
      // Names without a separator: `userpassword`, `accesstoken`, `clientsecret`, `privatekey`.
      /password|passwd|(?:token|secret)s?$|^(?:api|private|access|secret|session|auth|master)key/.test(word) ||
      (secretKeys.has(word) && /^keys?$/.test(words[at + 1] ?? '')),
  )
}
