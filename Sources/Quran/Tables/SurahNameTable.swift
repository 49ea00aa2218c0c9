// SPDX-License-Identifier: GPL-3.0-or-later
// Written by Scripts/make-quran-tables.py; change that instead.
// Arabic names, and where two are given the second: Tanzil Quran Metadata
// (https://tanzil.net/docs/quran_metadata), copyright Tanzil Project, CC BY 3.0.
// Where two are given the first: quran.com.

/// The names of the surahs.
enum SurahNameTable {
  /// A line for each surah: Arabic, two transliterations, two English names.
  static let text: StaticString = #"""
    الفاتحة|Al-Fatihah|Al-Faatiha|The Opener|The Opening
    البقرة|Al-Baqarah|Al-Baqara|The Cow|The Cow
    آل عمران|Ali 'Imran|Aal-i-Imraan|Family of Imran|The Family of Imraan
    النساء|An-Nisa|An-Nisaa|The Women|The Women
    المائدة|Al-Ma'idah|Al-Maaida|The Table Spread|The Table
    الأنعام|Al-An'am|Al-An'aam|The Cattle|The Cattle
    الأعراف|Al-A'raf|Al-A'raaf|The Heights|The Heights
    الأنفال|Al-Anfal|Al-Anfaal|The Spoils of War|The Spoils of War
    التوبة|At-Tawbah|At-Tawba|The Repentance|The Repentance
    يونس|Yunus|Yunus|Jonah|Jonas
    هود|Hud|Hud|Hud|Hud
    يوسف|Yusuf|Yusuf|Joseph|Joseph
    الرعد|Ar-Ra'd|Ar-Ra'd|The Thunder|The Thunder
    ابراهيم|Ibrahim|Ibrahim|Abraham|Abraham
    الحجر|Al-Hijr|Al-Hijr|The Rocky Tract|The Rock
    النحل|An-Nahl|An-Nahl|The Bee|The Bee
    الإسراء|Al-Isra|Al-Israa|The Night Journey|The Night Journey
    الكهف|Al-Kahf|Al-Kahf|The Cave|The Cave
    مريم|Maryam|Maryam|Mary|Mary
    طه|Taha|Taa-Haa|Ta-Ha|Taa-Haa
    الأنبياء|Al-Anbya|Al-Anbiyaa|The Prophets|The Prophets
    الحج|Al-Hajj|Al-Hajj|The Pilgrimage|The Pilgrimage
    المؤمنون|Al-Mu'minun|Al-Muminoon|The Believers|The Believers
    النور|An-Nur|An-Noor|The Light|The Light
    الفرقان|Al-Furqan|Al-Furqaan|The Criterion|The Criterion
    الشعراء|Ash-Shu'ara|Ash-Shu'araa|The Poets|The Poets
    النمل|An-Naml|An-Naml|The Ant|The Ant
    القصص|Al-Qasas|Al-Qasas|The Stories|The Stories
    العنكبوت|Al-'Ankabut|Al-Ankaboot|The Spider|The Spider
    الروم|Ar-Rum|Ar-Room|The Romans|The Romans
    لقمان|Luqman|Luqman|Luqman|Luqman
    السجدة|As-Sajdah|As-Sajda|The Prostration|The Prostration
    الأحزاب|Al-Ahzab|Al-Ahzaab|The Combined Forces|The Clans
    سبإ|Saba|Saba|Sheba|Sheba
    فاطر|Fatir|Faatir|Originator|The Originator
    يس|Ya-Sin|Yaseen|Ya Sin|Yaseen
    الصافات|As-Saffat|As-Saaffaat|Those who set the Ranks|Those drawn up in Ranks
    ص|Sad|Saad|The Letter "Saad"|The letter Saad
    الزمر|Az-Zumar|Az-Zumar|The Troops|The Groups
    غافر|Ghafir|Al-Ghaafir|The Forgiver|The Forgiver
    فصلت|Fussilat|Fussilat|Explained in Detail|Explained in detail
    الشورى|Ash-Shuraa|Ash-Shura|The Consultation|Consultation
    الزخرف|Az-Zukhruf|Az-Zukhruf|The Ornaments of Gold|Ornaments of gold
    الدخان|Ad-Dukhan|Ad-Dukhaan|The Smoke|The Smoke
    الجاثية|Al-Jathiyah|Al-Jaathiya|The Crouching|Crouching
    الأحقاف|Al-Ahqaf|Al-Ahqaf|The Wind-Curved Sandhills|The Dunes
    محمد|Muhammad|Muhammad|Muhammad|Muhammad
    الفتح|Al-Fath|Al-Fath|The Victory|The Victory
    الحجرات|Al-Hujurat|Al-Hujuraat|The Rooms|The Inner Apartments
    ق|Qaf|Qaaf|The Letter "Qaf"|The letter Qaaf
    الذاريات|Adh-Dhariyat|Adh-Dhaariyat|The Winnowing Winds|The Winnowing Winds
    الطور|At-Tur|At-Tur|The Mount|The Mount
    النجم|An-Najm|An-Najm|The Star|The Star
    القمر|Al-Qamar|Al-Qamar|The Moon|The Moon
    الرحمن|Ar-Rahman|Ar-Rahmaan|The Beneficent|The Beneficent
    الواقعة|Al-Waqi'ah|Al-Waaqia|The Inevitable|The Inevitable
    الحديد|Al-Hadid|Al-Hadid|The Iron|The Iron
    المجادلة|Al-Mujadila|Al-Mujaadila|The Pleading Woman|The Pleading Woman
    الحشر|Al-Hashr|Al-Hashr|The Exile|The Exile
    الممتحنة|Al-Mumtahanah|Al-Mumtahana|She that is to be examined|She that is to be examined
    الصف|As-Saf|As-Saff|The Ranks|The Ranks
    الجمعة|Al-Jumu'ah|Al-Jumu'a|The Congregation, Friday|Friday
    المنافقون|Al-Munafiqun|Al-Munaafiqoon|The Hypocrites|The Hypocrites
    التغابن|At-Taghabun|At-Taghaabun|The Mutual Disillusion|Mutual Disillusion
    الطلاق|At-Talaq|At-Talaaq|The Divorce|Divorce
    التحريم|At-Tahrim|At-Tahrim|The Prohibition|The Prohibition
    الملك|Al-Mulk|Al-Mulk|The Sovereignty|The Sovereignty
    القلم|Al-Qalam|Al-Qalam|The Pen|The Pen
    الحاقة|Al-Haqqah|Al-Haaqqa|The Reality|The Reality
    المعارج|Al-Ma'arij|Al-Ma'aarij|The Ascending Stairways|The Ascending Stairways
    نوح|Nuh|Nooh|Noah|Noah
    الجن|Al-Jinn|Al-Jinn|The Jinn|The Jinn
    المزمل|Al-Muzzammil|Al-Muzzammil|The Enshrouded One|The Enshrouded One
    المدثر|Al-Muddaththir|Al-Muddaththir|The Cloaked One|The Cloaked One
    القيامة|Al-Qiyamah|Al-Qiyaama|The Resurrection|The Resurrection
    الانسان|Al-Insan|Al-Insaan|The Man|Man
    المرسلات|Al-Mursalat|Al-Mursalaat|The Emissaries|The Emissaries
    النبإ|An-Naba|An-Naba|The Tidings|The Announcement
    النازعات|An-Nazi'at|An-Naazi'aat|Those who drag forth|Those who drag forth
    عبس|'Abasa|Abasa|He Frowned|He frowned
    التكوير|At-Takwir|At-Takwir|The Overthrowing|The Overthrowing
    الإنفطار|Al-Infitar|Al-Infitaar|The Cleaving|The Cleaving
    المطففين|Al-Mutaffifin|Al-Mutaffifin|The Defrauding|Defrauding
    الإنشقاق|Al-Inshiqaq|Al-Inshiqaaq|The Sundering|The Splitting Open
    البروج|Al-Buruj|Al-Burooj|The Mansions of the Stars|The Constellations
    الطارق|At-Tariq|At-Taariq|The Nightcommer|The Morning Star
    الأعلى|Al-A'la|Al-A'laa|The Most High|The Most High
    الغاشية|Al-Ghashiyah|Al-Ghaashiya|The Overwhelming|The Overwhelming
    الفجر|Al-Fajr|Al-Fajr|The Dawn|The Dawn
    البلد|Al-Balad|Al-Balad|The City|The City
    الشمس|Ash-Shams|Ash-Shams|The Sun|The Sun
    الليل|Al-Layl|Al-Lail|The Night|The Night
    الضحى|Ad-Duhaa|Ad-Dhuhaa|The Morning Hours|The Morning Hours
    الشرح|Ash-Sharh|Ash-Sharh|The Relief|The Consolation
    التين|At-Tin|At-Tin|The Fig|The Fig
    العلق|Al-'Alaq|Al-Alaq|The Clot|The Clot
    القدر|Al-Qadr|Al-Qadr|The Power|The Power, Fate
    البينة|Al-Bayyinah|Al-Bayyina|The Clear Proof|The Evidence
    الزلزلة|Az-Zalzalah|Az-Zalzala|The Earthquake|The Earthquake
    العاديات|Al-'Adiyat|Al-Aadiyaat|The Courser|The Chargers
    القارعة|Al-Qari'ah|Al-Qaari'a|The Calamity|The Calamity
    التكاثر|At-Takathur|At-Takaathur|The Rivalry in world increase|Competition
    العصر|Al-'Asr|Al-Asr|The Declining Day|The Declining Day, Epoch
    الهمزة|Al-Humazah|Al-Humaza|The Traducer|The Traducer
    الفيل|Al-Fil|Al-Fil|The Elephant|The Elephant
    قريش|Quraysh|Quraish|Quraysh|Quraysh
    الماعون|Al-Ma'un|Al-Maa'un|The Small kindnesses|Almsgiving
    الكوثر|Al-Kawthar|Al-Kawthar|The Abundance|Abundance
    الكافرون|Al-Kafirun|Al-Kaafiroon|The Disbelievers|The Disbelievers
    النصر|An-Nasr|An-Nasr|The Divine Support|Divine Support
    المسد|Al-Masad|Al-Masad|The Palm Fiber|The Palm Fibre
    الإخلاص|Al-Ikhlas|Al-Ikhlaas|The Sincerity|Sincerity
    الفلق|Al-Falaq|Al-Falaq|The Daybreak|The Dawn
    الناس|An-Nas|An-Naas|Mankind|Mankind
    """#
}
