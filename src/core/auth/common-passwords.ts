/** The most common passwords of at least 6 characters, from yearly breach studies (SplashData, NordPass, NCSC). */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  (
    '123456 1234567 12345678 123456789 1234567890 12345678910 0123456789 987654321 9876543210 654321 7654321 87654321 ' +
    '111111 1111111 11111111 000000 00000000 121212 123123 123123123 123321 112233 222222 333333 444444 555555 666666 ' +
    '777777 7777777 888888 88888888 999999 101010 131313 159753 147258 147258369 789456 789456123 456789 456123 696969 ' +
    'password password1 password12 password123 password1234 passw0rd p@ssword p@ssw0rd passwort motdepasse contraseña ' +
    'qwerty qwerty1 qwerty12 qwerty123 qwertyuiop qwertyui qwert123 qwerty1234 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx qazwsx ' +
    'qazwsxedc zaq12wsx zxcvbn zxcvbnm asdfgh asdfghjkl asdf1234 azerty azertyuiop q1w2e3r4 qwe123 asd123 1234qwer ' +
    'abc123 abcd1234 abcdef abcdefg abcdefgh a123456 a1234567 a12345678 aa123456 aa12345678 123abc 123qwe 123456a 12345a ' +
    'letmein welcome welcome1 welcome123 admin123 administrator root123 guest123 login123 changeme default secret secret123 ' +
    'iloveyou iloveyou1 iloveu loveme lovely princess princess1 sunshine monkey monkey123 dragon dragon123 football football1 ' +
    'baseball basketball superman batman spiderman pokemon naruto starwars master master123 shadow michael jessica jennifer ' +
    'ashley daniel charlie jordan jordan23 thomas andrew joshua matthew hunter hunter2 ranger buster soccer hockey killer ' +
    'george summer winter spring autumn freedom whatever trustno1 computer internet samsung google facebook myspace1 linkedin ' +
    'cheese pepper cookie banana flower ginger chocolate butterfly purple orange yellow silver golden diamond michelle nicole ' +
    'hannah amanda maggie tigger access mustang corvette ferrari mercedes yankees liverpool chelsea arsenal barcelona juventus ' +
    'bitcoin bitcoin1 bitcoin123 crypto crypto123 ethereum ethereum1 binance trading trading1 trading123 trader trader123 ' +
    'tradingbot blockchain satoshi hodler tothemoon money123 dollar test123 test1234 testtest testing testing123 temp123 ' +
    'qweqwe asdasd zxczxc 1111qqqq q12345 q123456 w123456 g_czechout 5201314 woaini woaini1314 aaaaaa aaaaaaaa abcabc ' +
    'blink182 fuckyou fuckyou1 asshole biteme pass123 pass1234 user123 hello123 hello1 hellohello ninja123 azerty123'
  ).split(' '),
)
