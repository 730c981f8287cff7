"""People at a club: names, codes, talk, coming and going, computers that stand in, the host's and the operator's powers."""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kozel.clean import alike
from kozel.net import room as room_module
from kozel.net.club import Club
from kozel.net.identity import FileBook, Identities
from kozel.net.limits import Bars, Bucket, CodeTries, network_of
from kozel.net.wire import Declined as Said
from kozel.records.replay import replay_text
from net.scripted import Client, Declined, at_the_door, seated
from net.test_matches import opened, run


async def in_a_match(folder: Path, names: list[str], **settings: Any) -> tuple[Club, list[Client]]:
    club = await opened(folder, **settings.pop("club", {}))
    clients = await seated(club, names, **settings)
    await clients[0].ask("start")
    for client in clients:
        await client.until(lambda client=client: client.view.get("turn") is not None)  # type: ignore[misc]
    return club, clients


def hang_up(client: Client) -> None:
    """The connection is gone."""
    assert client.door is not None
    client.door.lost()


async def back(club: Club, name: str) -> Client:
    """Somebody comes again, and sits down where the seat is kept."""
    client = at_the_door(club, f"SHA256:{name}")
    client.name = name
    greeting = await client.hello(name)
    await client.ask("sit", table=greeting["kept"])
    return client


# names and codes


def test_a_name_belongs_to_the_key_that_took_it_first(tmp_path: Path) -> None:
    names = Identities(FileBook(tmp_path / "names.jsonl"))
    assert asyncio.run(names.claim("SHA256:a", "Anna")) == "Anna"
    for wanted in ("anna", "АNNA", " Anna ", "Аnnа"):  # in Cyrillic letters, too
        with pytest.raises(Said) as no:
            asyncio.run(names.claim("SHA256:b", wanted))
        assert no.value.kind == "name_taken"
        assert no.value.facts["other"] != "Anna"
    assert names.proposed("Anna") == "Anna 2"
    later = Identities(FileBook(tmp_path / "names.jsonl"))
    assert later.name("SHA256:a") == "Anna"
    assert not later.free("ANNA", "SHA256:b")
    assert (tmp_path / "names.jsonl").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("wanted", ["", " ", "...", "\x1b[2J", "\u202e"])
def test_a_name_needs_a_letter_or_a_digit(tmp_path: Path, wanted: str) -> None:
    with pytest.raises(Said, match="name_empty"):
        asyncio.run(Identities(FileBook(tmp_path / "names")).claim("SHA256:a", wanted))


def test_names_that_sound_alike_are_one() -> None:
    assert alike("Анна") != alike("Anna")
    assert alike("Аnna") == alike("anna")


def test_a_guests_code_is_kept_hashed_and_void_after_the_match(tmp_path: Path) -> None:
    names = Identities(FileBook(tmp_path / "names"))
    guest = names.new_guest()
    asyncio.run(names.claim(guest, "Vera"))
    code = names.code_for(guest)
    assert names.by_code(code.upper().replace("-", " ")) == guest
    assert code not in "".join(names.code_hashes(guest))
    assert len(names.code_hashes(guest)[0]) == 64
    assert not (tmp_path / "names").exists()
    names.forget(guest)
    assert names.by_code(code) is None
    assert names.free("Vera", "SHA256:b")


def test_wrong_codes_make_an_address_wait_longer_and_longer() -> None:
    now = [0.0]
    tries = CodeTries(lambda: now[0])
    for _ in range(5):
        tries.check("192.0.2.1")
        tries.wrong("192.0.2.1")
    tries.check("192.0.2.2")
    with pytest.raises(Said) as no:
        tries.check("192.0.2.1")
    assert no.value.facts == {"n": 60}
    now[0] = 61
    tries.check("192.0.2.1")
    tries.wrong("192.0.2.1")
    with pytest.raises(Said) as no:
        tries.check("192.0.2.1")
    assert no.value.facts == {"n": 120}


def test_five_wrong_codes_in_a_longer_time_cost_nothing() -> None:
    now = [0.0]
    tries = CodeTries(lambda: now[0])
    for _ in range(20):
        tries.check("192.0.2.1")
        tries.wrong("192.0.2.1")
        now[0] += 61
    tries.check("192.0.2.1")


def test_addresses_of_one_network_count_together() -> None:
    assert network_of("2001:db8:0:1::1") == network_of("2001:db8:0:1:ffff::2")
    assert network_of("::ffff:192.0.2.1") == "192.0.2.1"
    assert network_of("192.0.2.1") != network_of("192.0.2.2")


def test_the_bar_file_is_read_again_when_it_changes(tmp_path: Path) -> None:
    file = tmp_path / "bars"
    file.write_text("# nobody\n")
    bars = Bars(file)
    assert not bars.key("SHA256:a")
    file.write_text("SHA256:a  # rude\n198.51.100.0/24\n2001:db8::1\n")
    assert bars.key("SHA256:a")
    assert bars.address("198.51.100.7")
    assert bars.address("::ffff:198.51.100.7")
    assert bars.address("2001:db8::1")
    assert not bars.address("192.0.2.1")


def test_a_bucket_lets_a_burst_through_and_then_a_rate() -> None:
    now = [0.0]
    bucket = Bucket(2.0, 3.0, lambda: now[0])
    assert [bucket.spare() for _ in range(4)] == [True, True, True, False]
    now[0] = 0.5
    assert bucket.spare()
    assert bucket.take() == pytest.approx(0.5)


def test_a_table_by_code_is_not_in_the_lobby_and_is_found_by_its_code(tmp_path: Path) -> None:
    async def visit() -> None:
        club = await opened(tmp_path)
        [anna] = await seated(club, ["Anna"], levels=[None, None], by_code=True)
        boris = at_the_door(club, "SHA256:Boris")
        await boris.hello("Boris")
        assert (await boris.ask("lobby"))["tables"] == []
        with pytest.raises(Declined, match="no_table"):
            await boris.ask("sit", table=anna.table["id"])
        with pytest.raises(Declined, match="wrong_code"):
            await boris.ask("sit", code="00000000" if anna.table["code"] != "00000000" else "00000001")
        code = anna.table["code"]
        assert (await boris.ask("sit", code=f"{code[:2]} {code[2:4]} {code[4:]}"))["seat"] == 1
        vera = at_the_door(club, "SHA256:Vera")
        await vera.hello("Vera")
        with pytest.raises(Declined, match="table_full"):
            await vera.ask("sit", code=code)
        assert "code" not in str((await vera.ask("lobby"))["tables"])
        await club.close()

    run(visit())


def test_the_lobby_never_tells_a_code(tmp_path: Path) -> None:
    async def visit() -> None:
        club = await opened(tmp_path)
        [anna] = await seated(club, ["Anna"], levels=[None, None])
        boris = at_the_door(club, "SHA256:Boris")
        await boris.hello("Boris")
        await boris.ask("lobby")
        assert anna.table["code"].encode() not in b"".join(boris.heard)
        await club.close()

    run(visit())


# a host's settings


@pytest.mark.parametrize(
    ("wish", "kind"),
    [
        ({"ruleset": "../../etc/passwd"}, "no_ruleset"),
        ({"levels": [None]}, "bad_request"),
        ({"levels": [None] * 5}, "bad_request"),
        ({"levels": ["novice", "novice"]}, "bad_request"),
        ({"levels": [None, "genius"]}, "bad_request"),
        ({"options": {"target": 10**9}}, "bad_setup"),
        ({"options": {"seed": "x"}}, "bad_setup"),
        ({"move_time": -1}, "bad_request"),
        ({"move_time": True}, "bad_request"),
        ({"talk": "shouting"}, "bad_request"),
        ({"only": "Anna"}, "bad_request"),
        ({"guests": "yes"}, "bad_request"),
    ],
)
def test_settings_that_cannot_be_are_refused(tmp_path: Path, wish: dict[str, Any], kind: str) -> None:
    async def visit() -> None:
        club = await opened(tmp_path)
        anna = at_the_door(club, "SHA256:Anna")
        await anna.hello("Anna")
        with pytest.raises(Declined, match=kind):
            await anna.ask("open", **{"ruleset": "kozel", "levels": [None, None], **wish})
        assert not list(club.rooms)
        await club.close()

    run(visit())


def test_a_table_for_named_people_takes_nobody_else(tmp_path: Path) -> None:
    async def visit() -> None:
        club = await opened(tmp_path)
        [anna] = await seated(club, ["Anna"], levels=[None, None], only=["Boris"])
        vera, boris = (at_the_door(club, f"SHA256:{name}") for name in ("Vera", "Boris"))
        await vera.hello("Vera")
        with pytest.raises(Declined, match="named_only"):
            await vera.ask("sit", code=anna.table["code"])
        await boris.hello("Boris")
        await boris.ask("sit", code=anna.table["code"])
        await club.close()

    run(visit())


def test_only_the_host_begins_sends_away_and_seats_computers(tmp_path: Path) -> None:
    async def visit() -> None:
        club = await opened(tmp_path)
        anna, boris = await seated(club, ["Anna", "Boris"], levels=[None, None, None])
        for request in ({"do": "start"}, {"do": "remove", "seat": 0}, {"do": "computer", "seat": 2, "level": "novice"}):
            with pytest.raises(Declined, match="host_only"):
                await boris.ask(**request)
        with pytest.raises(Declined, match="free_seats"):
            await anna.ask("start")
        await anna.ask("computer", seat=2, level="strong")
        assert anna.table["seats"][2]["level"] == "strong"
        await anna.ask("remove", seat=1)
        assert boris.pushes[-1]["now"] == "out"
        with pytest.raises(Declined, match="removed_before"):
            await boris.ask("sit", code=anna.table["code"])
        await club.close()

    run(visit())


def test_a_host_who_goes_hands_the_table_on(tmp_path: Path) -> None:
    async def visit() -> None:
        club = await opened(tmp_path)
        anna, boris = await seated(club, ["Anna", "Boris"])
        await anna.ask("leave")
        assert boris.notices("new_host") == [{"name": "Boris"}]
        await boris.ask("computer", seat=0, level="novice")
        await boris.ask("start")
        await boris.until(lambda: boris.view.get("turn") is not None)
        await club.close()

    run(visit())


# talk


def test_talk_is_cleaned_limited_and_named(tmp_path: Path) -> None:
    async def visit() -> None:
        club = await opened(tmp_path)
        anna, boris = await seated(club, ["Anna", "Boris"])
        await anna.ask("say", text="good \x1b[2Jevening\u202e " + "x" * 500)
        said = boris.pushes[-1]
        assert said["now"] == "talk"
        assert said["who"] == "Anna"
        assert said["text"].startswith("good evening xx")
        assert len(said["text"]) == 200
        with pytest.raises(Declined, match="talk_too_fast"):
            await anna.ask("say", text="again")
        with pytest.raises(Declined, match="nothing_said"):
            await boris.ask("say", text="\x07")
        with pytest.raises(Declined, match="bad_request"):
            await boris.ask("phrase", phrase="go_to_hell")
        await boris.ask("phrase", phrase="well_played")
        assert anna.pushes[-1] == {"now": "talk", "who": "Boris", "phrase": "well_played"}
        await club.close()

    run(visit())


@pytest.mark.parametrize(("talk", "kind"), [("phrases", "phrases_only"), ("off", "no_talk")])
def test_the_host_may_allow_only_phrases_or_nothing(tmp_path: Path, talk: str, kind: str) -> None:
    async def visit() -> None:
        club = await opened(tmp_path)
        anna, boris = await seated(club, ["Anna", "Boris"], talk=talk)
        with pytest.raises(Declined, match=kind):
            await boris.ask("say", text="six six")
        heard = [push for push in anna.pushes if push["now"] == "talk"]
        assert not heard
        await club.close()

    run(visit())


def test_a_watcher_hears_talk_and_says_nothing(tmp_path: Path) -> None:
    async def visit() -> None:
        club = await opened(tmp_path)
        [anna] = await seated(club, ["Anna"], levels=[None, None])
        vera = at_the_door(club, "SHA256:Vera")
        await vera.hello("Vera")
        await vera.ask("watch", code=anna.table["code"])
        with pytest.raises(Declined, match="watchers_listen"):
            await vera.ask("say", text="hello")
        await anna.ask("say", text="hello")
        assert vera.pushes[-1]["text"] == "hello"
        await club.close()

    run(visit())


# away, and back


def test_a_lost_connection_costs_nothing(tmp_path: Path) -> None:
    async def match() -> None:
        club, (anna, boris) = await in_a_match(tmp_path, ["Anna", "Boris"])
        serial = boris.serial
        hang_up(boris)
        assert anna.notices("lost") == [{"name": "Boris"}]
        again = await back(club, "Boris")
        assert anna.notices("back")[-1] == {"name": "Boris"}
        assert again.serial == serial
        assert again.view == {**boris.view}
        with pytest.raises(Declined, match="no_vote"):
            await anna.ask("vote", seat=1)
        await club.close()

    run(match())


def test_a_computer_stands_in_when_all_who_are_there_agree(tmp_path: Path) -> None:
    async def match() -> None:
        names = ["Anna", "Boris", "Vera"]
        club, (anna, boris, vera) = await in_a_match(tmp_path, names, club={"away": 0.6})
        hang_up(vera)
        await anna.until(lambda: bool(anna.notices("may_stand_in")))
        await anna.ask("vote", seat=2)
        assert not anna.notices("computer_in")
        await boris.ask("vote", seat=2)
        await anna.until(lambda: anna.notices("computer_in") == [{"name": "Vera"}])
        assert anna.table["seats"][2]["computer"] == "amateur"
        stop = 40
        await asyncio.gather(
            *(c.play(random.Random(n), lambda: anna.serial >= stop) for n, c in enumerate((anna, boris)))
        )
        again = await back(club, "Vera")
        await anna.until(lambda: bool(anna.notices("back_for_computer")))
        await asyncio.gather(*(c.play(random.Random(n)) for n, c in enumerate((anna, boris, again))))
        assert again.record is not None
        assert "      - computer 2 amateur\n" in again.record
        assert "      - person 2\n" in again.record
        told = replay_text(again.record, "r.yaml")
        assert told["ok"]
        assert told["shuffle"] == "consistent"
        await club.close()

    run(match())


def test_somebody_else_may_sit_down_where_a_computer_stands_in(tmp_path: Path) -> None:
    async def match() -> None:
        club, (anna, boris) = await in_a_match(tmp_path, ["Anna", "Boris"], club={"away": 0.3})
        await boris.ask("leave")
        await anna.ask("vote", seat=1)
        await anna.until(lambda: bool(anna.notices("computer_in")))
        vera = at_the_door(club, "SHA256:Vera")
        await vera.hello("Vera")
        assert (await vera.ask("sit", code=anna.table["code"]))["seat"] == 1
        assert anna.notices("took_over") == [{"name": "Vera", "before": "Boris"}]
        assert vera.view["seat"] == 1
        again = at_the_door(club, "SHA256:Boris")
        await again.hello("Boris")
        with pytest.raises(Declined, match="table_full"):
            await again.ask("sit", code=anna.table["code"])
        await club.close()

    run(match())


def test_the_newer_of_two_connections_takes_over(tmp_path: Path) -> None:
    async def match() -> None:
        club, (anna, boris) = await in_a_match(tmp_path, ["Anna", "Boris"])
        newer = await back(club, "Boris")
        assert boris.ended == "replaced"
        assert anna.notices("other_connection") == [{"name": "Boris"}]
        assert newer.view["turn"] is not None
        hang_up(boris)  # the older one's end changes nothing
        assert anna.table["seats"][1]["here"]
        await club.close()

    run(match())


def test_time_for_a_move_is_warned_of_and_then_a_computer_decides(tmp_path: Path) -> None:
    async def match() -> None:
        club, (anna, boris) = await in_a_match(tmp_path, ["Anna", "Boris"], move_time=2)
        decisions = anna.view["decisions"]
        await anna.until(lambda: bool(anna.notices("time_short")))
        await anna.until(lambda: bool(anna.notices("time_over")))
        await anna.until(lambda: anna.view["decisions"] > decisions)
        assert boris.view["decisions"] == anna.view["decisions"]
        await club.close()

    run(match())


def test_a_match_goes_on_at_its_moment_after_the_server_was_away(tmp_path: Path) -> None:
    async def match() -> None:
        club, (anna, boris) = await in_a_match(tmp_path, ["Anna", "Boris"])
        await asyncio.gather(*(c.play(random.Random(n), lambda: anna.serial >= 9) for n, c in enumerate((anna, boris))))
        before = {seat: client.view for seat, client in enumerate((anna, boris))}
        await club.close()
        later = await opened(tmp_path)
        clients = [await back(later, name) for name in ("Anna", "Boris")]
        for seat, client in enumerate(clients):
            assert client.view == before[seat]
        await asyncio.gather(*(c.play(random.Random(n)) for n, c in enumerate(clients)))
        assert clients[0].record is not None
        assert replay_text(clients[0].record, "r.yaml")["shuffle"] == "consistent"
        await later.close()

    run(match())


def test_a_guest_comes_back_by_the_code_after_the_server_was_away(tmp_path: Path) -> None:
    async def match() -> None:
        from kozel.net.presence import LocalPresence

        club = await opened(tmp_path)
        [anna] = await seated(club, ["Anna"], levels=[None, None])
        guest = await LocalPresence.enter(club, club.identities.new_guest(), "Vera", lang="en", address="192.0.2.9")
        code = (await guest.ask("sit", code=anna.table["code"]))["way_back"]
        await anna.ask("start")
        await anna.until(lambda: anna.view.get("turn") is not None)
        await club.close()
        later = await opened(tmp_path)
        again = await LocalPresence.enter(
            later, later.identities.new_guest(), "Somebody", lang="en", address="192.0.2.9"
        )
        with pytest.raises(Said, match="wrong_code"):
            await again.ask("back", code="babad2-babad2-babad2-babad2")
        await again.ask("back", code=code)
        assert again.name == "Vera"
        kept = (await again.ask("lobby"))["kept"]
        await again.ask("sit", table=kept)
        assert again.host is not None
        assert list(again.host.seats) == [1]
        await later.close()

    run(match())


# the promised shuffle


@pytest.mark.parametrize("broken", ["other", "silent", "left", "no_hash"])
def test_who_does_not_keep_the_order_cancels_the_match_by_name(
    tmp_path: Path, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def match() -> None:
        monkeypatch.setattr(room_module, "PROMISE_WAIT", 0.4)
        club = await opened(tmp_path)
        anna, boris = await seated(club, ["Anna", "Boris"])
        boris.opens = False
        if broken == "no_hash":
            boris.name = ""  # does not take the promise for its own
        await anna.ask("start")
        if broken == "other":
            await boris.until(lambda: bool(boris.promise.get("hashes")))
            with pytest.raises(Declined, match="other_addition"):
                await boris.ask("addition", addition="chosen after seeing the others'")
        elif broken == "left":
            await boris.until(lambda: bool(boris.promise.get("hashes")))
            await boris.ask("leave")
        await anna.until(lambda: any(push["now"] == "cancelled" for push in anna.pushes))
        [cancelled] = [push for push in anna.pushes if push["now"] == "cancelled"]
        assert cancelled["name"] == "Boris"
        kinds = {"other": "other_addition", "silent": "not_opened", "left": "left", "no_hash": "no_hash"}
        assert cancelled["why"] == kinds[broken]
        assert anna.record is None
        assert not anna.view
        kept = (tmp_path / "cancelled.jsonl").read_text()
        assert '"name": "Boris"' in kept
        assert "secret" not in kept
        await club.close()

    run(match())


def test_no_addition_is_told_before_all_hashes_are(tmp_path: Path) -> None:
    async def match() -> None:
        club = await opened(tmp_path)
        anna, boris = await seated(club, ["Anna", "Boris"])
        boris.name = ""
        await anna.ask("start")
        with pytest.raises(Declined, match="not_now"):
            await anna.ask("addition", addition=anna.addition)
        assert not anna.promise["hashes"]
        assert anna.addition.encode() not in b"".join(boris.heard)
        await boris.ask("hash", hash=hashlib.sha256(b"mine").hexdigest())
        with pytest.raises(Declined, match="not_now"):
            await boris.ask("hash", hash=hashlib.sha256(b"other").hexdigest())
        await boris.ask("addition", addition="mine")
        await anna.until(lambda: anna.view.get("turn") is not None)
        order = [push["now"] for push in anna.pushes if push["now"] in ("promise", "hashes", "additions", "match")]
        assert order == ["promise", "hashes", "additions", "match"]
        await club.close()

    run(match())


def test_each_match_has_a_new_secret(tmp_path: Path) -> None:
    async def match() -> None:
        club, (anna, boris) = await in_a_match(tmp_path, ["Anna", "Boris"], options={"target": 20})
        first = anna.promise["commitment"]
        await asyncio.gather(*(c.play(random.Random(n)) for n, c in enumerate((anna, boris))))
        for client in (anna, boris):
            client.record, client.view = None, {}
        await boris.ask("again")
        await anna.until(lambda: anna.view.get("turn") is not None)
        assert anna.promise["commitment"] != first
        assert anna.notices("again") == [{"name": "Boris"}]
        await club.close()

    run(match())


def test_a_finished_match_is_in_the_library_of_whoever_was_away_too(tmp_path: Path) -> None:
    async def match() -> None:
        club, (anna, boris) = await in_a_match(tmp_path, ["Anna", "Boris"], club={"away": 0.2}, options={"target": 20})
        await boris.ask("leave")
        await anna.ask("vote", seat=1)
        await anna.play(random.Random(1))
        again = at_the_door(club, "SHA256:Boris")
        await again.hello("Boris")
        [name] = (await again.ask("records"))["records"]
        assert (await again.ask("record", name=name))["record"] == anna.record
        await again.ask("fetched", name=name)
        assert (await again.ask("records"))["records"] == []
        for wanted in ("../../../names", name, "."):
            with pytest.raises(Declined, match="no_record"):
                await again.ask("record", name=wanted)
        await club.close()

    run(match())


def test_a_full_club_says_so(tmp_path: Path) -> None:
    async def visit() -> None:
        club = await opened(tmp_path, tables=1)
        await seated(club, ["Anna"], levels=[None, None])
        boris = at_the_door(club, "SHA256:Boris")
        await boris.hello("Boris")
        with pytest.raises(Declined, match="club_full"):
            await boris.ask("open", ruleset="kozel", levels=[None, None])
        await club.close()

    run(visit())


def test_an_operators_bar_shows_out_at_once(tmp_path: Path) -> None:
    async def visit() -> None:
        file = tmp_path / "bars"
        file.write_text("")
        club = await opened(tmp_path / "club", bars=Bars(file))
        anna, boris = await seated(club, ["Anna", "Boris"])
        file.write_text("SHA256:Boris\n")
        await boris.until(lambda: boris.ended == "barred")
        hang_up(boris)
        assert anna.notices("lost") == [{"name": "Boris"}]
        await club.close()

    run(visit())


# bad lines


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\x00\xff\xfe",
        b"[]",
        b"{}",
        b"null",
        b'{"id":true,"do":"lobby"}',
        b'{"id":1e999,"do":"lobby"}',
        b'{"id":NaN}',
        b"[" * 3000,
        b'{"id":1' + b"," * 100,
        b'{"id":"1","do":"lobby"}',
    ],
)
def test_a_line_that_is_no_request_ends_the_connection_with_a_word(tmp_path: Path, line: bytes) -> None:
    async def visit() -> None:
        club = await opened(tmp_path)
        anna, boris = await seated(club, ["Anna", "Boris"])
        assert boris.door is not None
        await boris.door.receive(line)
        assert boris.ended == "bad_line"
        assert not anna.ended
        await club.close()

    run(visit())


def test_random_requests_change_nothing_and_are_all_answered(tmp_path: Path) -> None:
    async def visit() -> None:
        club, (anna, boris) = await in_a_match(tmp_path, ["Anna", "Boris"])
        rng = random.Random(5)
        verbs = [
            "decide",
            "sit",
            "watch",
            "open",
            "say",
            "vote",
            "hash",
            "addition",
            "name",
            "record",
            "back",
            "x",
            "_add",
        ]
        values: list[Callable[[], Any]] = [
            lambda: rng.randrange(-5, 40),
            lambda: None,
            lambda: "6-6 left",
            lambda: "\x00" * rng.randrange(50),
            lambda: [[]],
            lambda: {"a": {}},
            lambda: 2**70,
            lambda: True,
        ]
        fields = [
            "move",
            "serial",
            "seat",
            "code",
            "table",
            "text",
            "hash",
            "addition",
            "name",
            "level",
            "levels",
            "ruleset",
        ]
        serial = anna.serial
        for _ in range(300):
            facts = {field: rng.choice(values)() for field in rng.sample(fields, 4)}
            answer = await asyncio.wait_for(boris.send(do=rng.choice(verbs), **facts), 5)
            assert answer.get("no") != "fault", (facts, answer)
        assert anna.serial == serial or boris.view["decisions"] == anna.view["decisions"]
        assert not anna.ended
        await club.close()

    run(visit())


def test_another_version_gets_one_sentence(tmp_path: Path) -> None:
    async def visit() -> None:
        club = await opened(tmp_path)
        for versions, kind in (([0], "version_older"), ([2, 3], "version_newer"), ("1", "version_newer")):
            client = at_the_door(club, "SHA256:Old")
            with pytest.raises(Declined, match=kind):
                await client.ask("hello", versions=versions, name="Old")
        client = at_the_door(club, "SHA256:Rude")
        with pytest.raises(Declined, match="hello_first"):
            await client.ask("lobby")
        await club.close()

    run(visit())


def test_whoever_was_away_when_a_match_ended_may_open_another_table(tmp_path: Path) -> None:
    async def visit() -> None:
        club, (anna, boris) = await in_a_match(tmp_path, ["Anna", "Boris"], options={"target": 20})
        await asyncio.gather(*(c.play(random.Random(n)) for n, c in enumerate((anna, boris))))
        hang_up(anna)
        again = at_the_door(club, "SHA256:Anna")
        await again.hello("Anna")
        await again.ask("open", ruleset="kozel", levels=[None, None])
        assert boris.notices("seat_freed") == [{"name": "Anna"}]
        assert boris.notices("new_host") == [{"name": "Boris"}]
        await club.close()

    run(visit())


def test_another_match_that_somebody_began_is_joined(tmp_path: Path) -> None:
    async def visit() -> None:
        from kozel.net.presence import LocalPresence

        club = await opened(tmp_path)
        [anna] = await seated(club, ["Anna"], levels=[None, None], options={"target": 20})
        boris = await LocalPresence.enter(club, "SHA256:Boris", "Boris", lang="en", address="192.0.2.9")
        await boris.ask("sit", code=anna.table["code"])
        await anna.ask("start")
        await anna.until(lambda: anna.view.get("turn") is not None)
        first = boris.host
        assert first is not None
        seat = first.seats[1]
        rng = random.Random(2)

        async def play() -> None:
            while anna.record is None:
                if seat.view.own_turn:
                    await seat.decide(rng.choice(seat.view.legal))
                elif seat.view.turn is None:
                    await seat.ready()
                await asyncio.sleep(0.01)

        await asyncio.gather(anna.play(rng), play())
        anna.record = None
        await anna.ask("again")
        await anna.until(lambda: anna.view.get("decisions") == 0 and anna.view["turn"] is not None)
        second = await asyncio.wait_for(first.again(), 5)
        assert second is boris.host
        assert second is not first
        boris.close()
        await club.close()

    run(visit())


def test_a_person_named_as_a_computer_player_is_still_told_apart(tmp_path: Path) -> None:
    async def visit() -> None:
        club = await opened(tmp_path)
        [anna] = await seated(club, ["Anna"], levels=[None, None, "novice"])
        name = anna.table["seats"][2]["name"]
        other = at_the_door(club, "SHA256:Other")
        other.name = name
        await other.hello(name)
        await other.ask("sit", code=anna.table["code"])
        names = [seat["name"] for seat in anna.table["seats"]]
        assert len(set(names)) == 3
        await anna.ask("start")
        await other.until(lambda: other.view.get("turn") is not None)
        assert other.view["seat"] == 1
        await club.close()

    run(visit())
