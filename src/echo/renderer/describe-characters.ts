/** Characters as their code points, `U+13A0`, and the Unicode names of their scripts, such as `Cherokee`. */
export function describeCharacters(characters: readonly string[]): {
  readonly characters: readonly string[]
  readonly scripts: readonly string[]
} {
  const codePoints = characters.flatMap((character) => Array.from(character, codePointOf))
  return {
    characters: codePoints,
    scripts: scripts.filter((name) => isIn(name, characters.join(''))).map(withBlanks),
  }
}

function codePointOf(character: string): string {
  const digits = (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
  return `U+${digits.padStart(4, '0')}`
}

function isIn(script: string, text: string): boolean {
  return new RegExp(`\\p{Script=${script}}`, 'u').test(text)
}

function withBlanks(name: string): string {
  return name.replaceAll('_', ' ')
}

/** The scripts in use today, and those before them that people write about: https://www.unicode.org/reports/tr24/ */
const scripts =
  `Latin Greek Cyrillic Armenian Hebrew Arabic Syriac Thaana Devanagari Bengali Gurmukhi Gujarati Oriya
Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Georgian Hangul Ethiopic Cherokee Canadian_Aboriginal
Ogham Runic Khmer Mongolian Hiragana Katakana Bopomofo Han Yi Old_Italic Gothic Deseret Tagalog Hanunoo Buhid Tagbanwa
Limbu Tai_Le Linear_B Ugaritic Shavian Osmanya Cypriot Braille Buginese Coptic New_Tai_Lue Glagolitic Tifinagh
Syloti_Nagri Old_Persian Kharoshthi Balinese Cuneiform Phoenician Phags_Pa Nko Sundanese Lepcha Ol_Chiki Vai Saurashtra
Kayah_Li Rejang Lycian Carian Lydian Cham Tai_Tham Tai_Viet Avestan Egyptian_Hieroglyphs Samaritan Lisu Bamum Javanese
Meetei_Mayek Old_South_Arabian Old_Turkic Kaithi Batak Brahmi Mandaic Chakma Meroitic_Cursive Miao Sharada Sora_Sompeng
Takri Bassa_Vah Duployan Elbasan Grantha Khojki Linear_A Mende_Kikakui Modi Mro Nabataean Old_Permic Pahawh_Hmong
Palmyrene Pau_Cin_Hau Siddham Tirhuta Warang_Citi Ahom SignWriting Adlam Newa Osage Tangut Masaram_Gondi Nushu
Hanifi_Rohingya Medefaidrin Nyiakeng_Puachue_Hmong Wancho Toto Vithkuqi Kawi Nag_Mundari`.split(/\s+/)
