import re
from base64 import b64encode

from building import CT, HOSTILE, MR, UNKNOWN, SimpleNamespace, replace, upload

from components.data import Data
from components.panels.search.scan import picked
from components.render.search.pictures import series_label, thumbs, views
from components.render.search.scan import scan_panel
from components.render.search.series import series_page
from retrieval import Partial, Upload
from retrieval.core.codes import Dimension, Format


def view(**more):
    image = b64encode(b"picture").decode()
    given = {
        "plane": "axial",
        "image": image,
        "media_type": "image/webp",
        "width": 4,
        "height": 4,
        "letters": ("R", "L", "A", "P"),
    }
    return SimpleNamespace(**{**given, **more})


def preview(*views, **more):
    return SimpleNamespace(**{"scan": 0, "views": views, "window": "", "reason": None, **more})


def test_nothing_uploaded_is_no_panel():
    assert scan_panel(Data()) == ""


def test_facts_preview_and_ledger_are_shown():
    html = scan_panel(Data(upload=upload(CT, previews=(preview(view()),))))
    assert "<td>DICOM</td><td>CT</td><td>3D</td>" in html
    assert 'alt="Middle axial slice of your scan"' in html
    assert "Identifying entries dropped unread" in html


def test_a_thousand_series_make_a_short_panel_with_a_way_to_each_of_them():
    finding = SimpleNamespace(scan=0, code="x", severity="warning", text="odd", task=None)
    odd = tuple(SimpleNamespace(**{**vars(finding), "text": f"odd {n}"}) for n in range(1900))
    many = upload(*[CT] * 1900, findings=odd)
    html = scan_panel(Data(upload=many))
    assert 'aria-label="Page 48"' in html
    last = series_page(many, 48)
    assert re.findall(r"<th scope='row'>(\d+)", last) == [str(n) for n in range(1881, 1901)]
    assert "1,888 more findings are not listed here." in html
    assert len(html) < 24_000
    buttons = re.findall(r'data-act="series" data-id="(\d+)"', last)
    assert buttons == [str(n) for n in range(1880, 1900)]


def test_one_of_many_series_is_chosen_and_all_again():
    many = Data(upload=Upload(scans=(CT,) * 60, series=tuple(range(60))))
    one = picked(many, "59")
    assert one.upload.picked == 59
    assert len(one.scans) == 1
    html = scan_panel(one)
    assert 'data-id="" aria-label="Use all series">Use all<' in html
    assert picked(one, "").upload.picked is None


def test_what_is_no_series_is_neither_offered_nor_chosen():
    mixed = upload(CT, MR, CT, series=(0, 2))
    html = scan_panel(Data(upload=mixed))
    assert re.findall(r'data-act="series" data-id="(\d+)"', html) == ["0", "2"]
    for number in ("1", "3", "-1", "x"):
        assert picked(Data(upload=mixed), number).upload.picked is None
    assert 'data-act="series"' not in scan_panel(Data(upload=upload(CT)))


def test_a_picked_series_keeps_its_number_and_its_page_is_open():
    many = upload(*[CT] * 60, picked=54)
    rows = re.findall(r"<th scope='row'>(\d+)(.*?)</th>", scan_panel(Data(upload=many)))
    assert [int(number) for number, _ in rows] == list(range(41, 61))
    assert [number for number, mark in rows if "used" in mark] == ["55"]


def test_a_page_of_series_that_there_is_not_is_the_nearest():
    assert series_page(upload(CT), 9) == series_page(upload(CT), 1)
    assert series_page(upload(*[CT] * 41), 0) == series_page(upload(*[CT] * 41), 1)


def test_refused_file_is_named_by_position():
    refused = (SimpleNamespace(index=2, member=5, reason="not an image"),)
    html = scan_panel(Data(upload=upload(refused=refused)))
    assert "File 2, item 5 inside it: not an image" in html
    assert 'role="alert"' in html or "role='alert'" in html


def test_what_is_refused_inside_an_archive_is_no_file_of_its_own():
    members = tuple(SimpleNamespace(index=1, member=m, reason="no image") for m in (1, 2))
    assert "2 items refused" in scan_panel(Data(upload=upload(refused=members)))
    alone = (SimpleNamespace(index=2, member=None, reason="no image"),)
    html = scan_panel(Data(upload=upload(refused=(*members, *alone))))
    assert "1 file and 2 items refused" in html


def test_files_refused_for_one_reason_are_named_together():
    places = [(1, None), (2, None), (7, 3), (7, 4), *((n, None) for n in range(20, 40))]
    refused = tuple(SimpleNamespace(index=i, member=m, reason="not an image") for i, m in places)
    html = scan_panel(Data(upload=upload(refused=refused)))
    assert html.count("not an image") == 1
    said = (
        "Files 1, 2, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29 and 10 more; File 7, items 3, 4 inside"
    )
    assert said in html


def test_unknown_modality_is_asked_for_until_answered():
    data = Data(upload=upload(UNKNOWN))
    assert "kind of scan is not stated" in scan_panel(data)
    assert ">other<" in scan_panel(data)
    for answer in ("format:MRI", "format:OT"):
        assert "kind of scan is not stated" not in scan_panel(data.with_token(answer))


def test_a_label_map_is_named_and_not_asked_of_what_kind_it_is():
    labels = replace(UNKNOWN, notes=("label-map",))
    panel = scan_panel(Data(upload=upload(labels)))
    assert "kind of scan is not stated" not in panel
    assert panel.count("label map") == 2
    assert "label map, MRI" in scan_panel(Data(upload=upload(replace(MR, notes=("label-map",)))))
    assert "kind of scan is not stated" in scan_panel(Data(upload=upload(labels, UNKNOWN)))


def test_sizes_and_spacings_are_width_by_height_with_their_unit():
    grid = {"shape": (38, 23, 3), "spacing": (0.7, 0.6, 2.5)}
    turned = {"shape": (23, 38, 3), "spacing": (0.6, 0.7, 2.5)}
    for scan in (replace(CT, **grid), replace(MR, **turned)):
        panel = scan_panel(Data(upload=upload(scan)))
        assert panel.count("23 × 38 × 3") == 2
        assert "0.6 × 0.7 × 2.5 mm" in panel
    picture = replace(CT, format=Format.OME_TIFF, shape=(25, 26), spacing=(0.000499, 0.0005))
    panel = scan_panel(Data(upload=upload(picture)))
    assert "26 × 25" in panel
    assert "0.5 × 0.499 µm" in panel
    assert "unknown" in scan_panel(Data(upload=upload(replace(CT, shape=()))))


def test_a_plane_over_time_is_named_so_in_table_and_line():
    frames = replace(CT, dimension=Dimension.D2, shape=(6, 8, 1, 20), channels=3)
    html = scan_panel(Data(upload=upload(frames)))
    assert "<td>2D over time</td>" in html
    assert "CT · 2D over time" in html
    assert html.count("8 × 6, 20 times, 3 channels") == 2


def test_volumes_are_counted_by_name_and_the_channels_of_a_colour_are_not():
    volumes = replace(MR, dimension=Dimension.D4, shape=(64, 60, 35, 200))
    assert "64 × 60 × 35, 200 volumes" in scan_panel(Data(upload=upload(volumes)))
    colour = replace(CT, shape=(6, 8), channels=3, notes=("rgb",))
    assert "channel" not in series_page(upload(colour), 1)


def test_picture_of_another_type_or_broken_base64_is_left_out():
    for bad in (view(media_type="image/svg+xml"), view(image='x" onerror="y')):
        assert "<img" not in scan_panel(Data(upload=upload(CT, previews=(preview(bad),))))


def test_texts_of_the_upload_are_escaped():
    finding = SimpleNamespace(scan=0, code="x", severity="warning", text=HOSTILE, task=HOSTILE)
    refused = (SimpleNamespace(index=1, member=None, reason=HOSTILE),)
    html = scan_panel(Data(upload=upload(CT, findings=(finding,), refused=refused)))
    assert "<script" not in html
    assert "<img" not in html


def test_series_are_told_apart():
    assert series_label(2, MR) == "Series 2: MRI, 3D, 1 file"
    html = scan_panel(Data(upload=upload(CT, MR, picked=1)))
    assert "using series 2" in html


def test_several_scans_can_be_said_to_be_something_else_to_each_other():
    shown = scan_panel(Data(upload=upload(CT, MR, role="registration")))
    assert "They look like: registration." in shown
    assert 'data-act="role" data-id="PET + CT"' in shown.replace("'", '"')
    assert "Not so?" not in scan_panel(Data(upload=upload(CT)))


def test_a_scan_read_in_part_says_so_in_panel_and_ledger():
    cut = Partial(read=12, of=37, cause="stopped")
    html = scan_panel(Data(upload=upload(CT, partial=cut)))
    said = "Stopped after 12 of 37 files; what was read is used."
    assert f"{said} Add the files again" in html
    assert f"<dt>Read in part</dt><dd>{said}</dd>" in html
    assert "Read in part" not in scan_panel(Data(upload=upload(CT)))


def test_a_reading_stopped_before_any_scan_is_no_unreadable_file():
    cut = Partial(read=0, of=37, cause="stopped")
    html = scan_panel(Data(upload=upload(partial=cut)))
    assert "No file was read." in html
    assert "Stopped after 0 of 37 files" in html


def test_a_note_about_many_series_stands_once_and_one_alone_names_its_file():
    def note(scan, text):
        return SimpleNamespace(scan=scan, code="x", severity="warning", text=text, task=None)

    several = upload(CT, CT, MR, findings=(note(0, "odd"), note(1, "odd"), note(2, "even")))
    html = scan_panel(Data(upload=several))
    assert html.count("odd") == 1
    assert "Series 1, 2: odd" in html
    assert "Series 3 (file 3): even" in html
    assert "2 findings" in html
    alone = upload(CT, findings=(note(0, "odd"),))
    assert "Series" not in scan_panel(Data(upload=alone)).split("Scan doctor")[1].split("odd")[0]


def test_every_series_is_a_small_picture_or_says_why_in_its_place():
    drawn, cut = preview(view()), preview(scan=1, reason="Part of the picture is missing.")
    html = scan_panel(Data(upload=upload(CT, MR, previews=(drawn, cut))))
    first, second = html.split("<ul class='thumbs'")[1].split("</ul>")[0].split("</li>")[:2]
    assert "<img" in first
    assert "Series 1: CT, 3D" in first
    assert "Part of the picture is missing." in second


def test_subjects_are_told_apart_from_series_and_lead_to_the_cohort():
    html = scan_panel(Data(upload=upload(MR, MR, subjects=2)))
    assert "2 series of 2 subjects" in html
    assert "href='cohort'" in html


def test_an_image_of_a_microscope_is_not_asked_whether_it_is_mri():
    ome = replace(UNKNOWN, format=Format.OME_TIFF)
    html = scan_panel(Data(upload=upload(ome)))
    assert "fluorescence microscopy" in html
    assert "MRI" not in html
    assert 'data-id="MRI"' in scan_panel(Data(upload=upload(UNKNOWN)))


def test_a_plain_picture_beside_one_of_a_microscope_is_asked_the_same():
    ome = replace(UNKNOWN, format=Format.OME_TIFF)
    beside = scan_panel(Data(upload=upload(ome, replace(UNKNOWN, format=Format.TIFF))))
    assert "fluorescence microscopy" in beside
    assert "MRI" not in beside
    alone = scan_panel(Data(upload=upload(replace(UNKNOWN, format=Format.TIFF))))
    assert 'data-id="MRI"' in alone


def plane(name, width, height):
    """One picture of a scan, as the reader gives it."""
    return SimpleNamespace(
        plane=name,
        width=width,
        height=height,
        media_type="image/png",
        image="AAAA",
        letters=("",) * 4,
    )


def test_a_plane_of_a_few_slices_is_named_and_not_drawn():
    planes = (plane("sagittal", 320, 320), plane("coronal", 5, 320), plane("axial", 5, 320))
    preview = SimpleNamespace(scan=0, views=planes, window="", reason=None)
    html = views(upload(CT, previews=(preview,)))
    assert html.count("<img") == 1
    assert "Too few slices to show it coronal or axial." in html
    assert "Middle sagittal" in thumbs(upload(CT, MR, previews=(preview,)))
    thin = SimpleNamespace(scan=0, views=planes[1:], window="", reason=None)
    assert views(upload(CT, previews=(thin,))).count("<img") == 2
